import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { exitCodes } from '../../src/cli/output.js';
import { runIn } from './command-line.js';
import { ScriptedGateway } from './gateway-servers.js';
import { eachServer, hostId } from './server.js';

const operator = ['--host', hostId, '--sid', 'shop-1.0.0', '--env', 'dev'];
const scope = ['--scope', 'catalog:write catalog:admin'];

const shop = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders:
    get: { operationId: listOrders, summary: List orders, responses: { '200': { description: Orders } } }
    post: { operationId: placeOrder, summary: Place an order, responses: { '201': { description: Placed } } }
`;

describe('the command line', () => {
  eachServer((server) => {
    let documents: string;
    let connection: readonly string[];
    const run = (...args: string[]) =>
      runIn({ DATA_DIR: server().directory, XDG_CONFIG_HOME: documents }, ...args);
    const ask = (...args: string[]) => run(...args, ...connection);

    beforeAll(async () => {
      documents = await mkdtemp(join(tmpdir(), 'portal-catalog-cli-'));
      await writeFile(join(documents, 'shop.yaml'), shop);
      const { out } = await run('token', ...operator, ...scope);
      connection = ['--url', server().address, '--token', out.trim()];
    });
    afterAll(async () => {
      await rm(documents, { recursive: true });
    });

    const importShop = (...args: string[]) =>
      ask('import', join(documents, 'shop.yaml'), '--api', 'shop', '--env', 'dev', ...args);

    it('imports, shows what would change, and publishes', async () => {
      const dry = await importShop('--dry-run', '--publish');
      expect(dry.output).toContain('2 tools published');
      expect(dry.output).toContain('2 added, 0 changed');
      const first = await importShop();
      expect(first).toMatchObject({ code: exitCodes.done });
      expect(first.output).toContain('2 added, 0 changed');
      const [, apiVersionId = ''] = /publish --api-version (\S+)/.exec(first.output) ?? [];
      expect((await ask('publish', '--api-version', apiVersionId)).output).toContain(
        '2 published, 0 unchanged',
      );
      expect((await ask('publish', '--api-version', apiVersionId)).output).toContain(
        '0 published, 2 unchanged',
      );
      const again = await importShop('--json');
      expect(JSON.parse(again.output)).toMatchObject({ apiVersionId, total: 2, unchanged: 2 });
    });

    it('switches an API and a version of it off and on, by id and by name', async () => {
      const dry = await ask('disable', 'api', 'shop', '--dry-run');
      const tools = '  tool listOrders\n  tool placeOrder\n';
      expect([dry.code, dry.output]).toEqual([exitCodes.done, `api shop: would be off\n${tools}`]);
      const off = await ask('disable', 'api', 'shop');
      expect([off.code, off.output]).toEqual([exitCodes.done, `api shop: off\n${tools}`]);
      expect((await ask('enable', 'api', 'shop')).output).toBe('api shop: on\n');
      const version = JSON.parse((await importShop('--json')).output) as { apiVersionId: string };
      expect((await ask('disable', 'api-version', version.apiVersionId)).code).toBe(exitCodes.done);
      expect((await ask('enable', 'api-version', 'shop@1.0.0')).output).toBe('api-version shop@1.0.0: on\n');
      expect(await ask('disable', 'agent', 'nobody')).toMatchObject({ code: exitCodes.refused });
      expect(await ask('disable', 'tag', 'any')).toMatchObject({ code: exitCodes.usage });
    });

    it('asks the catalog as a graph, with queries of one’s own and with those that are kept', async () => {
      const listed = await run('query', '--list');
      expect(listed.output).toContain('tools-without-a-skill');
      const kept = await ask('query', '--named', 'tools-without-a-skill', '--json');
      expect(kept).toMatchObject({ code: exitCodes.done });
      const answer = JSON.parse(kept.output) as { nodes: { name: string }[] };
      expect(answer.nodes.map(({ name }) => name)).toEqual(['listOrders', 'placeOrder']);
      const page = async (...more: readonly string[]) => {
        const shown = await ask(
          'query',
          '--named',
          'tools-without-a-skill',
          '--json',
          '--limit',
          '1',
          ...more,
        );
        const { nodes, pagination } = JSON.parse(shown.output) as typeof answer & {
          pagination: { next_cursor?: string };
        };
        return { name: nodes[0]?.name, next: pagination.next_cursor };
      };
      const first = await page();
      const second = await page('--after', first.next ?? '');
      expect([first.name, second]).toEqual(['listOrders', { name: 'placeOrder' }]);
      const counted = await ask('query', '--named', 'tools-per-domain', '--param', 'tier=internal');
      expect(counted).toMatchObject({ code: exitCodes.done });
      expect(counted.output).toMatch(/query_type: aggregation[^]*2$/m);
      const file = join(documents, 'query.json');
      await writeFile(file, '{"query_type": "traversal", "nodes": [{"id": "t", "entity": "Tol"}]}');
      expect(await ask('query', file)).toMatchObject({
        code: exitCodes.refused,
        output: expect.stringContaining('/nodes/0/entity') as string,
      });
      for (const args of [
        ['--named', 'tools-per-domain'],
        ['--named', 'sing'],
        ['--named', 'tools-without-a-skill', '--limit', 'many'],
        ['--list', '--folder', join(documents, 'nowhere')],
        [join(documents, 'shop.yaml')],
        [],
      ]) {
        expect([args, (await ask('query', ...args)).code]).toEqual([args, exitCodes.usage]);
      }
    });

    it('brings the folder of a skill in and out, and in again without a change', async () => {
      const folder = join(documents, 'accounts');
      await mkdir(join(folder, 'scripts'), { recursive: true });
      const text =
        '---\nname: accounts\ndescription: Looks after accounts.\nx-own: {a: 1}\nallowed-tools: Read\n---\n\nDo.\n';
      await writeFile(join(folder, 'SKILL.md'), text);
      await writeFile(join(folder, 'scripts', 'run.py'), 'print(1)\n');
      const made = await ask('skill', 'import', folder);
      expect(made).toMatchObject({ code: exitCodes.done });
      expect(made.output).toMatch(/accounts: made\n +tools: 0 of 1 found, .*\n +tool Read: not found/);
      const [, skillId = ''] = /Skill (\S+)/.exec(made.output) ?? [];
      const out = join(documents, 'out');
      expect(await ask('skill', 'export', skillId, '--format', 'folder', '--out', out)).toMatchObject({
        code: exitCodes.done,
        output: 'accounts/SKILL.md\naccounts/scripts/run.py\n',
      });
      expect(await readFile(join(out, 'accounts', 'SKILL.md'), 'utf8')).toBe(text);
      expect((await ask('skill', 'import', join(out, 'accounts'))).output).toContain('accounts: unchanged');
      const yaml = join(documents, 'accounts.skill.yaml');
      expect(await ask('skill', 'export', skillId, '--out', yaml)).toMatchObject({ code: exitCodes.done });
      expect((await ask('skill', 'import', yaml)).output).toContain('accounts: unchanged');
      expect(await ask('skill', 'export', skillId, '--out', yaml)).toMatchObject({ code: exitCodes.usage });
      await writeFile(join(folder, 'SKILL.md'), 'no frontmatter');
      expect(await ask('skill', 'import', folder)).toMatchObject({
        code: exitCodes.refused,
        output: expect.stringContaining('malformed_skill') as string,
      });
      expect(await ask('skill', 'import', join(documents, 'none'))).toMatchObject({ code: exitCodes.usage });
    });

    it('imports a folder of files that refer to each other', async () => {
      const folder = join(documents, 'split');
      await mkdir(join(folder, 'paths'), { recursive: true });
      const document =
        'openapi: 3.1.0\ninfo: { title: S, version: "1" }\npaths: { /s: { $ref: paths/s.yaml } }\n';
      await writeFile(join(folder, 'openapi.yaml'), document);
      await writeFile(join(folder, 'paths', 's.yaml'), 'get: { operationId: split, responses: {} }\n');
      const first = await ask('import', folder, '--api', 'split', '--env', 'dev');
      expect(first).toMatchObject({
        code: exitCodes.done,
        output: expect.stringContaining('1 added') as string,
      });
    });

    it('says which version it is, beside commands that take a version', async () => {
      const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
      expect(await run('--version')).toMatchObject({ code: exitCodes.done, output: `${version}\n` });
      const dry = await importShop('--dry-run', '--version', '7.0.0');
      expect(dry).toMatchObject({ code: exitCodes.done });
      expect(dry.output).toContain('version 7.0.0');
    });

    it('asks which tool a prompt would find, and teaches what it should', async () => {
      const { address } = server();
      const browse = ['--scope', 'catalog:read catalog:write'];
      const { output: token } = await run('token', ...operator, ...browse);
      const browser = (...args: string[]) => run(...args, '--url', address, '--token', token.trim());
      expect((await browser('search', 'place an order', '--explain')).output).toMatch(
        /^[\d.]+ {2}tool placeOrder .*\n +words .*plac \(/m,
      );
      expect((await browser('search', 'place an order', '--kind', 'tool')).output).toContain(
        'tool placeOrder (shop)',
      );
      expect((await browser('search', 'zzz')).output).toContain('Nothing was found.');
      const set = join(documents, 'prompts.yaml');
      await writeFile(set, '- prompt: I need a thing\n  expect: [placeOrder]\n');
      const before = JSON.parse((await browser('eval', set, '--set', 'shop', '--json')).output) as {
        id: string;
      };
      expect(before).toMatchObject({ metrics: { prompts: 1, hit1: 0 } });
      expect(await browser('eval', '--fail-under', 'hit@1=0.5', set)).toMatchObject({
        code: exitCodes.failed,
        output: expect.stringContaining('hit1 is 0, less than 0.5') as string,
      });
      expect((await browser('eval', '--set', 'shop', '--teach')).output).toContain('1 tool was taught');
      const since = ['--no-worse-than', before.id, '--fail-under', 'hit1=1', 'recall10=1'];
      const after = await browser('eval', '--set', 'shop', ...since);
      expect([after.code, after.output]).toEqual([
        exitCodes.done,
        expect.stringMatching(/better:\n +not found → 1 +I need a thing\nworse:/),
      ]);
      const taught = await browser('search', 'stuff, please', '--kind', 'tool', '--teach', 'listOrders');
      expect(taught.output).toMatch(/\n[\d.]+ {2}tool listOrders/);
      expect((await browser('eval', '--self')).output).toContain('prompts 2, hit1 1');
      const [, now = ''] = /run (\S+)/.exec(after.output) ?? [];
      const nothing = join(documents, 'nothing.yaml');
      await writeFile(nothing, 'openapi: 3.1.0\npaths: {}\n');
      const gone = ['--after-import', nothing, '--api', 'shop', '--env', 'dev'];
      expect(await browser('eval', set, ...gone, '--no-worse-than', now)).toMatchObject({
        code: exitCodes.failed,
        output: expect.stringContaining('1 prompt has become worse') as string,
      });
      await writeFile(set, '- { prompt: I need a thing, expect: [listOrders] }\n');
      expect(await browser('eval', set, '--no-worse-than', now)).toMatchObject({ code: exitCodes.failed });
      const [later, hopes] = [join(documents, 'later.yaml'), join(documents, 'hopes.yaml')];
      await writeFile(later, 'openapi: 3.1.0\npaths: { /b: { get: { operationId: bookFlight } } }\n');
      await writeFile(hopes, '- { prompt: book a flight, expect: [bookFlight] }\n');
      const afterwards = ['--after-import', later, '--api', 'later', '--env', 'dev'];
      expect((await browser('eval', hopes, ...afterwards)).output).toContain('prompts 1, hit1 1');
      expect((await browser('eval', hopes)).output).toContain('prompts 1, hit1 0');
      await writeFile(set, '- { prompt: place an order, expect: [listOrders] }\n');
      expect((await browser('eval', set)).output).toContain('listOrders (shop) → placeOrder (shop)');
      const lines = join(documents, 'prompts.jsonl');
      await writeFile(lines, '{"prompt": "x", "expect": ["placeOrder"]}\n\n{"prompt": ');
      expect(await browser('eval', lines)).toMatchObject({
        code: exitCodes.usage,
        output: expect.stringContaining('line 3') as string,
      });
      expect(await browser('eval', set, '--fail-under', 'luck=1')).toMatchObject({ code: exitCodes.usage });
      await writeFile(
        set,
        '- { prompt: two, expect: [listOrders] }\n- { prompt: none, expect: [nothing] }\n',
      );
      const lesson = await browser('eval', set, '--teach');
      expect(lesson).toMatchObject({ code: exitCodes.refused });
      expect(lesson.output).toMatch(/1 tool was taught[^]*nothing: 404/);
      expect(await browser('eval')).toMatchObject({ code: exitCodes.usage });
    });

    it('looks after gateways and webhooks', async () => {
      const gateway = await ScriptedGateway.start();
      gateway.tools = [{ name: 'stray', description: 'Not known yet.', inputSchema: { type: 'object' } }];
      const claims = { sid: 'accounts', scope: 'catalog:read catalog:write catalog:admin' };
      const [id, token] = [v7(), await server().token(claims)];
      const profile = { serviceId: 'accounts', envTag: 'dev', url: gateway.url };
      await server().api('PUT', `/gateways/${id}`, { token, body: profile });
      const asOperator = (...args: string[]) => run(...args, '--url', server().address, '--token', token);
      const listed = await asOperator('gateway', 'list', '--env', 'dev');
      expect(listed.output).toMatch(new RegExp(`${id} +accounts +dev +${gateway.url} +internal`));
      expect((await asOperator('gateway', 'config', id)).output).toBe('mcp-router.tools: []\n');
      const differs = await asOperator('gateway', 'check', id, '--strict');
      expect([differs.code, differs.output]).toEqual([
        exitCodes.failed,
        expect.stringContaining('not_in_catalog  stray'),
      ]);
      const accepted = await asOperator('gateway', 'accept', id, '--all');
      expect(accepted.output).toContain('accepted  not_in_catalog  stray');
      expect(accepted.output).toContain('are given only tools that one of its gateways exposes');
      expect(await asOperator('gateway', 'check', id, '--strict')).toMatchObject({
        code: exitCodes.done,
        output: 'in_sync  stray\n',
      });
      const inputSchema = { type: 'object', properties: { id: { type: 'string' } } };
      gateway.tools = [{ name: 'stray', description: 'Known by now.', inputSchema }];
      const drifted = await asOperator('gateway', 'check', id);
      expect(drifted.output).toMatch(/^description_changed {2}stray\n {4}Not known yet\. → Known by now\.$/m);
      expect(drifted.output).toMatch(
        /^schema_changed {2}stray.*\n {4}\/inputSchema\/properties\/id: \(none\) → \{"type":/m,
      );
      await gateway.stop();
      // Nobody is there, and that is all there is to say and to keep.
      expect(await asOperator('gateway', 'check', id)).toMatchObject({ code: exitCodes.unreachable });
      const kept = await asOperator('gateway', 'check', id, '--keep', '--strict');
      expect([kept.code, kept.output]).toEqual([
        exitCodes.failed,
        expect.stringContaining('gateway_unreachable'),
      ]);
      expect(await asOperator('gateway', 'accept', id)).toMatchObject({ code: exitCodes.usage });
      expect(await asOperator('gateway', id, '--listen', 'https://gateway.example.com/')).toMatchObject({
        code: exitCodes.usage,
        output: expect.stringContaining('not for production') as string,
      });
      const webhook = { url: 'https://hook.example.invalid/', secret: 'hook' };
      await server().api('PUT', `/webhooks/${id}`, { token, body: webhook });
      expect((await asOperator('webhook', 'list')).output).toContain(`${id}  ${webhook.url}`);
      expect((await asOperator('webhook', 'deliveries', id, '--state', 'dead')).output.trim()).toBe('');
      expect((await asOperator('webhook', 'replay', id)).output).toContain('0 will be delivered again');
    });

    it('ends with a code of its own for each way to fail, and says what to do', async () => {
      for (const args of [['sing'], ['sing', '--help']]) {
        expect(await run(...args)).toMatchObject({
          code: exitCodes.usage,
          output: expect.stringContaining('unknown command') as string,
        });
      }
      expect(await run('catalog', '--agent', hostId)).toMatchObject({
        code: exitCodes.usage,
        output: expect.stringContaining('portal-catalog token') as string,
      });
      expect(await ask('import', join(documents, 'none.yaml'), '--api', 'shop')).toMatchObject({
        code: exitCodes.usage,
      });
      const limited = await ask('catalog', '--agent', hostId);
      expect(limited).toMatchObject({ code: exitCodes.refused });
      expect(limited.output).toContain('The token is for service shop-1.0.0, environment dev');
      const wide = await run('token', ...operator, '--scope', 'catalog:admin catalog:all-services');
      const own = ['--url', server().address, '--token', wide.output.trim()];
      const { output } = await run('catalog', '--agent', hostId, ...own);
      expect(output).toContain('The token is for environment dev');
      expect(output).not.toContain('The token is for service');
      const [, , , token = ''] = connection;
      const away = await run('catalog', '--agent', hostId, '--url', 'http://127.0.0.1:1', '--token', token);
      expect(away).toMatchObject({
        code: exitCodes.unreachable,
        output: expect.stringContaining('npm start') as string,
      });
    });

    it('leads on whoever stands in the wrong place', async () => {
      const address = await ask('import', 'http://127.0.0.1:1/openapi.yaml', '--api', 'shop');
      expect(address).toMatchObject({
        code: exitCodes.refused,
        output: expect.stringMatching(/^422 document_.*http:\/\/127\.0\.0\.1:1/) as string,
      });
      const elsewhere = { DATA_DIR: join(documents, 'another') };
      const mint = () => runIn(elsewhere, 'token', ...operator, ...scope);
      expect((await mint()).output).toContain(`There was no key in ${join(documents, 'another')}`);
      const { output: token } = await mint();
      expect(token).toMatch(/^\S+\n$/);
      const refused = await run('search', 'a', '--url', server().address, '--token', token.trim());
      expect([refused.code, refused.output]).toEqual([
        exitCodes.refused,
        expect.stringContaining('only a service with the same DATA_DIR takes them'),
      ]);
    });

    it('mints no token that the service would refuse', async () => {
      const whose = ['--sid', 'shop', '--env', 'dev'];
      for (const [fault, ...rest] of [
        ['--host', '--host', 'shop', '--scope', 'catalog:read'],
        ['--scope', '--host', hostId, '--scope', 'read everything'],
        ['maxSensitivityTier', '--host', hostId, '--scope', 'catalog:read', '--max-tier', 'secret'],
        ['agent_def_id', '--host', hostId, '--scope', 'catalog:agent', '--agent', 'me'],
      ] as const) {
        expect(await run('token', ...whose, ...rest)).toMatchObject({
          code: exitCodes.usage,
          output: expect.stringContaining(fault) as string,
        });
      }
    });
  });
});
