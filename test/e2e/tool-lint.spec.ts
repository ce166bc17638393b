import { readFileSync } from 'node:fs';
import { eachServer } from './server.js';

const spec = (name: string, description: string): string => `version: 1.0.0
name: ${name}
description: ${description}
inputSchema:
  parameters:
    - { name: number, type: integer, required: true }
outputSchema: { type: object }
`;
const described = 'Shows one parcel of a depot. Use it when you know its number.';

interface Answer {
  readonly digest?: string;
  readonly faults: readonly object[];
  readonly findings: readonly { readonly rule: string; readonly line: number; readonly pointer: string }[];
  readonly neighbors: readonly { readonly name: string; readonly similarity: number }[];
}

interface Consolidated {
  readonly proposals: readonly {
    readonly tools: readonly string[];
    readonly specText: string;
    readonly notes: readonly string[];
  }[];
  readonly omitted: readonly { readonly tool: string; readonly reason: string }[];
}

eachServer((server) => {
  describe('one tool in place of several', () => {
    const make = async (name: string, readOnly: boolean, properties: object) => {
      const body = {
        ...{ name, description: `Does ${name}. Use it at the depot.`, implementationType: 'python' },
        ...{
          inputSchema: { type: 'object', properties, required: Object.keys(properties) },
          safety: { readOnly },
        },
      };
      expect((await server().api('POST', '/tools', { body })).status).toBe(201);
    };
    const consolidate = (body: object, token?: string) =>
      server().api<Consolidated>('POST', '/tools/consolidate', {
        body,
        ...(token !== undefined && { token }),
      });

    it('is proposed as a draft that can be pushed, and says what it left out', async () => {
      await make('get_gitlab_crate', true, { id: { type: 'integer' } });
      await make('list_gitlab_crates', true, { state: { enum: ['opened', 'closed'] } });
      await make('update_gitlab_crate', false, { id: { type: 'integer' } });
      const all = await consolidate({});
      const [proposal] = all.body.proposals;
      expect(proposal?.tools).toEqual(['get_gitlab_crate', 'list_gitlab_crates']);
      expect(all.body.omitted.map(({ tool }) => tool)).toContain('update_gitlab_crate');
      const names = ['get_gitlab_crate', 'list_gitlab_crates', 'update_gitlab_crate', 'gone'];
      const { body } = await consolidate({ tools: names, name: 'get_crate' });
      expect(body.omitted.map(({ tool }) => tool).sort()).toEqual(['gone', 'update_gitlab_crate']);
      const specText = body.proposals[0]?.specText ?? '';
      expect(specText).toContain('name: get_crate');
      const pushed = await server().api('POST', '/tools/specs', { body: { specText } });
      expect(pushed.body).toMatchObject({ outcome: 'new_tool', name: 'get_crate', state: 'draft' });
    });

    it('refuses narrowed tokens, and what is no request', async () => {
      const narrowed = await server().token({ maxSensitivityTier: 'internal' });
      expect((await consolidate({}, narrowed)).status).toBe(403);
      expect((await consolidate({ tools: ['one'] })).status).toBe(400);
      const evaluationId = '0198c0de-0000-7000-8000-0000000000b7';
      expect((await consolidate({ evaluationId })).status).toBe(404);
    });
  });

  const lint = async (sent: unknown, token?: string) =>
    server().api<Answer>('POST', '/tools/lint', {
      body: { spec: sent },
      ...(token !== undefined && { token }),
    });

  describe('the lint of a tool', () => {
    it('finds its weaknesses in the lines of its text', async () => {
      const { status, body } = await lint(spec('get_parcel', described));
      expect([status, body.faults]).toEqual([200, []]);
      expect(body.findings.map(({ rule, line, pointer }) => [rule, line, pointer])).toEqual([
        ['parameter_undescribed', 6, '/inputSchema/parameters/0'],
      ]);
      expect(body.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    });

    it('lists the faults of what is no spec, and looks no further', async () => {
      const { body } = await lint({ version: '1', name: 'get_parcel' });
      expect(body).toEqual({ faults: expect.any(Array), findings: [], neighbors: [] });
      expect(body.faults).toContainEqual(expect.objectContaining({ pointer: '/version', rule: 'schema' }));
    });

    it('finds that a tool of the host is described like it', async () => {
      const tool = { name: 'show_parcel', description: described, implementationType: 'python' };
      await server().api('POST', '/tools', {
        body: { ...tool, scriptContent: 'pass', inputSchema: { type: 'object' } },
      });
      await server().settled();
      const { body } = await lint(spec('get_parcel', `${described.slice(0, -1)} in it.`));
      expect(body.neighbors[0]?.name).toBe('show_parcel');
      expect(body.findings.map(({ rule }) => rule)).toContain('overlaps');
      const itself = await lint(spec('show_parcel', described));
      expect(itself.body.findings.map(({ rule }) => rule)).not.toContain('overlaps');
    });
  });

  it.each(['tool-spec', 'tool-evaluation', 'accepted-findings'])(
    'gives editors the schema %s without a token',
    async (kind) => {
      const answer = await fetch(`${server().address}/v1/schemas/${kind}`);
      expect(await answer.json()).toEqual(
        JSON.parse(readFileSync(`docs/schemas/${kind}.schema.json`, 'utf8')),
      );
    },
  );
});
