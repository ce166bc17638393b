import { runHere } from './command-line.js';
import { fresh, guardsWorld, openapi, override } from './guards-world.js';
import { eachServer } from './server.js';

/** What waits, over all tools, and how one person lets it through in one sitting. */

interface Desk {
  readonly items: readonly {
    readonly toolId: string;
    readonly name: string;
    readonly toolVersion: string;
    readonly digest: string;
    readonly grade: string;
    readonly missing: readonly string[];
    readonly evaluated: boolean | null;
    readonly reach: { readonly skills: number };
  }[];
  readonly nextCursor?: string;
}

const COUNT = 20;

eachServer((server) => {
  const { ask, refusal, bring, agentWith } = guardsWorld(server);
  const tokens = { ada: '', grace: '' };
  const [apiId, op] = [fresh('shelf'), fresh('readShelf')];
  const names = Array.from({ length: COUNT }, (_, at) => `${op}${String(at)}`);
  beforeAll(async () => {
    const scope = 'catalog:read catalog:write catalog:all-services';
    tokens.ada = await server().token({ sub: 'ada', scope });
    tokens.grace = await server().token({ sub: 'grace', scope: `${scope} catalog:approve` });
    const described = (name: string) => ({
      summary: `Reads the shelf ${name} of the library, book by book.`,
    });
    const said = (more: object) =>
      openapi(Object.fromEntries(names.map((name) => [name, { ...described(name), ...more }])));
    await bring(apiId, said({}), { publish: true }, tokens.ada);
    const { items } = await ask<{ items: { toolId: string }[] }>('GET', `/tools?apiId=${apiId}`);
    await agentWith(items.slice(0, 2).map(({ toolId }) => toolId));
    const schema = { type: 'string' };
    const book = { name: 'book', in: 'query', required: true, description: 'Which one.', schema };
    await bring(apiId, said({ parameters: [book] }), {}, tokens.ada);
  });
  const desk = (query: string, token = tokens.grace) =>
    ask<Desk>('GET', `/tool-versions?${query}`, undefined, token);

  it('lists what waits with who, since when, what it changes, whom it reaches, and what is missing', async () => {
    const { items, nextCursor } = await desk(`apiId=${apiId}&limit=15`);
    expect(items).toHaveLength(15);
    expect(items[0]).toMatchObject({
      ...{ toolVersion: '2.0.0', state: 'in_review', origin: 'source', authors: ['ada'], against: '1.0.0' },
      ...{ grade: 'breaking', numberFault: null, evaluated: null, missing: ['has not been evaluated'] },
      ...{ lint: [], since: expect.any(String) as string },
    });
    const rest = await desk(`apiId=${apiId}&limit=15&cursor=${nextCursor ?? ''}`);
    expect(rest.items).toHaveLength(5);
    expect(new Set([...items, ...rest.items].map(({ name }) => name))).toEqual(new Set(names));
    const own = await desk(`apiId=${apiId}&limit=1`, tokens.ada);
    expect(own.items[0]?.missing).toContain('was written by ada: somebody else approves it');
    expect((await desk(`apiId=${apiId}&state=draft`)).items).toEqual([]);
    const confined = await server().token({ agent_def_id: items[0]?.toolId });
    expect(await refusal('GET', '/tool-versions', undefined, confined)).toEqual([403, 'confined_token']);
  });

  it('approves all or none, and says of each why not', async () => {
    const { items } = await desk(`apiId=${apiId}&limit=2`);
    const versions = items.map(({ toolId, toolVersion, digest }) => ({
      toolId,
      version: toolVersion,
      digest,
    }));
    const asked = { token: tokens.grace, body: { versions } };
    const answer = await server().api<{ code: string; errors: { pointer: string; detail: string }[] }>(
      'POST',
      '/tool-versions/approve',
      asked,
    );
    expect(answer).toMatchObject({ status: 409, body: { code: 'versions_refused' } });
    expect(answer.body.errors).toEqual(
      [0, 1].map((at) => ({
        pointer: `/versions/${String(at)}`,
        detail: expect.stringMatching(/^evaluation_needed: /) as string,
      })),
    );
    const path = '/tool-versions/approve';
    const [first] = versions;
    expect(await refusal('POST', path, { versions: [first, first] }, tokens.grace)).toEqual([
      400,
      'invalid_body',
    ]);
    expect(await refusal('POST', path, { versions, ...override }, tokens.ada)).toEqual([
      403,
      'insufficient_scope',
    ]);
    const other = [{ ...first, digest: '0'.repeat(64) }];
    expect(await refusal('POST', path, { versions: other, ...override }, tokens.grace)).toEqual([
      409,
      'versions_refused',
    ]);
    expect((await desk(`apiId=${apiId}`)).items).toHaveLength(COUNT);
    const dry = await ask('POST', path, { versions, ...override, dryRun: true }, tokens.grace);
    expect(dry).toMatchObject({ items: [{ toolVersion: '2.0.0' }, { toolVersion: '2.0.0' }] });
    expect((await desk(`apiId=${apiId}`)).items).toHaveLength(COUNT);
  });

  it('is one sitting from the command line: each command prints the next', async () => {
    const run = (...args: readonly string[]) =>
      runHere(...args, '--url', server().address, '--token', tokens.grace);
    const next = (output: string) => {
      const [, command = ''] = /^next: (?:npx )?portal-catalog (.*)$/m.exec(output) ?? [];
      return run(...command.split(' '));
    };
    const listed = await run('registry', 'desk', '--api', apiId);
    expect(listed.out).toContain(`${String(COUNT)} versions wait for a review`);
    const evaluated = await next(listed.out);
    expect(evaluated.out).toContain(`${String(COUNT)} versions evaluated`);
    const read = await next(evaluated.out);
    expect(read.out).toMatch(/breaking: .*\/inputSchema/);
    const approved = await next(read.out);
    expect(approved).toMatchObject({ code: 0 });
    expect(approved.out).toContain(`${String(COUNT)} versions approved`);
    expect((await desk(`apiId=${apiId}`)).items).toEqual([]);
    const { items } = await ask<{ items: { version: string }[] }>('GET', `/tools?apiId=${apiId}`);
    expect(new Set(items.map(({ version }) => version))).toEqual(new Set(['2.0.0']));
  });
});
