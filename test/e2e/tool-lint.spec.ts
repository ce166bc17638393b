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

eachServer((server) => {
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
