import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { v5 } from 'uuid';
import { eachServer, type ApiAnswer } from './server.js';

interface Report {
  readonly apiVersionId: string;
  readonly format: string;
  readonly formatVersion: string;
  readonly total: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly deactivated: number;
  readonly reactivated: number;
  readonly published?: number;
  readonly items: readonly {
    endpointId: string;
    endpoint: string;
    change: string;
    fields: string[];
    breaking: boolean;
  }[];
  readonly warnings: readonly { code: string; pointer: string }[];
  readonly conflicts: readonly { endpoint: string; field: string; code?: string; layer: string }[];
  readonly position: number;
}
interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly { pointer: string; detail: string }[];
}
interface List {
  readonly items: readonly Record<string, unknown>[];
}

const answers = { '200': { description: 'fine' } };
const documentOf = (...names: string[]) => ({
  openapi: '3.1.0',
  info: { title: 'Orders of shops', version: '1' },
  paths: Object.fromEntries(
    names.map((name) => [`/${name}`, { get: { operationId: name, responses: answers } }]),
  ),
});
let apis = 0;

eachServer((server, kind) => {
  const send = <Body>(...call: Parameters<ReturnType<typeof server>['api']>): Promise<ApiAnswer<Body>> =>
    server().api<Body>(...call);
  const freshApi = () => `api-${String((apis += 1))}`;
  const version = { apiVersion: '1', serviceId: 'orders', envTag: 'dev' };
  const bring = async (apiId: string, document: unknown, more: object = {}) => {
    const { status, body } = await send<Report>('POST', '/imports', {
      body: { api: { apiId }, version, document, ...more },
    });
    expect(status).toBe(200);
    return body;
  };
  const positionOfLog = async () => {
    const { body } = await send<{ items: { position: number }[] }>('GET', '/events?after=0&limit=500');
    return body.items.length;
  };
  const endpoints = async (query: string) =>
    (await send<List>('GET', `/endpoints?limit=500&${query}`)).body.items;

  describe('an import', () => {
    it('makes what is missing, and reports each endpoint', async () => {
      const apiId = freshApi();
      const report = await bring(apiId, documentOf('b', 'a'));
      expect(report).toMatchObject({
        ...{ format: 'openapi', formatVersion: '3.1.0', total: 2, added: 2, changed: 0, unchanged: 0 },
        ...{ deactivated: 0, reactivated: 0, warnings: [], conflicts: [] },
      });
      expect(report.items.map(({ endpoint, change, endpointId }) => [endpoint, change, endpointId])).toEqual(
        ['/a@get', '/b@get'].map((key) => [key, 'added', v5(key, report.apiVersionId)]),
      );
      expect(report.published).toBeUndefined();
      expect((await send('GET', `/apis/${apiId}`)).body).toMatchObject({ apiName: 'Orders of shops' });
      const made = await send('GET', `/api-versions/${report.apiVersionId}`);
      expect(made.body).toMatchObject({ ...version, apiId, apiType: 'openapi' });
    });

    it('of the same document again appends no event', async () => {
      const apiId = freshApi();
      const first = await bring(apiId, documentOf('a', 'b'), { publish: true });
      expect(first.published).toBe(2);
      const before = await positionOfLog();
      const second = await bring(apiId, documentOf('b', 'a'), { publish: true });
      expect(second).toMatchObject({
        unchanged: 2,
        added: 0,
        published: 0,
        apiVersionId: first.apiVersionId,
      });
      const resync = await send<Report>('POST', `/api-versions/${first.apiVersionId}/resync`);
      expect(resync.body).toMatchObject({ unchanged: 2, changed: 0 });
      // The document itself was sent in another order: that alone is news, of the document and of its version.
      expect(await positionOfLog()).toBe(before + 2);
      const third = await bring(apiId, documentOf('b', 'a'), { publish: true });
      expect([third.position, await positionOfLog()]).toEqual([before + 2, before + 2]);
    });

    it('takes out of use what has vanished, and brings it back under its id', async () => {
      const apiId = freshApi();
      await bring(apiId, documentOf('a', 'b'), { publish: true });
      const gone = await bring(apiId, documentOf('a'));
      expect(gone).toMatchObject({ total: 1, unchanged: 1, deactivated: 1 });
      expect(gone.items.find(({ endpoint }) => endpoint === '/b@get')).toMatchObject({
        change: 'deactivated',
        breaking: true,
      });
      const [inactive] = await endpoints(`apiId=${apiId}&active=false`);
      expect(inactive).toMatchObject({ endpoint: '/b@get', active: false });
      const back = await bring(apiId, documentOf('a', 'b'));
      expect(back).toMatchObject({ reactivated: 1, unchanged: 1 });
      expect((await endpoints(`apiId=${apiId}`)).map(({ endpointId }) => endpointId)).toContain(
        inactive?.['endpointId'],
      );
    });

    it('does not switch on what an operator has switched off', async () => {
      const apiId = freshApi();
      const { items } = await bring(apiId, documentOf('a'));
      const id = String(items[0]?.endpointId);
      await send('POST', `/endpoints/${id}/deactivate`);
      await bring(apiId, documentOf());
      await bring(apiId, documentOf('a'));
      expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject({
        active: false,
        deactivated: true,
      });
      await send('POST', `/endpoints/${id}/activate`);
      expect((await send('GET', `/endpoints/${id}`)).body).toMatchObject({ active: true });
    });

    it('says what changes, and writes nothing when dry', async () => {
      const apiId = freshApi();
      const before = await positionOfLog();
      const dry = await bring(apiId, documentOf('dryRun'), { dryRun: true, publish: true });
      expect(dry).toMatchObject({ added: 1, published: 1, total: 1 });
      // The version will be made under another id: none is shown.
      expect([Object.keys(dry), Object.keys(dry.items[0] ?? {})].flat()).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/Id$/)]),
      );
      expect(await positionOfLog()).toBe(before);
      expect((await send('GET', `/apis/${apiId}`)).status).toBe(404);
      await bring(apiId, documentOf('a'));
      const changed = {
        ...documentOf('a'),
        paths: {
          '/a': {
            get: {
              ...{ operationId: 'a', summary: 'A', responses: answers },
              parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string' } }],
            },
          },
        },
      };
      const tried = await bring(apiId, changed, { dryRun: true });
      const [item] = tried.items;
      expect(item?.endpointId).toBe(v5('/a@get', tried.apiVersionId));
      expect(item).toMatchObject({ change: 'changed', breaking: true });
      expect(item?.fields).toEqual(
        expect.arrayContaining(['description', 'inputSchema', 'routing.parameters']),
      );
      expect((await bring(apiId, documentOf('a'))).unchanged).toBe(1);
    });

    it('keeps the rest of a document with one broken operation', async () => {
      const broken = documentOf('a', 'b');
      Object.assign(broken.paths, {
        '/c': { get: { operationId: 'c', parameters: [{ $ref: '#/nowhere' }], responses: 7 } },
        '/d': { get: 'x' },
      });
      const report = await bring(freshApi(), broken);
      expect(report.items.map(({ endpoint }) => endpoint)).toEqual(
        expect.arrayContaining(['/a@get', '/b@get']),
      );
      expect(report.warnings).not.toEqual([]);
    });

    it('takes words of any length, and leaves out what no index can hold', async () => {
      const long = Array.from({ length: 1_000 }, (_, index) =>
        String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
      ).join('');
      const apiId = freshApi();
      const document = documentOf('a', long);
      Object.assign(document.paths['/a'] ?? {}, {
        get: { operationId: 'long', tags: [long.repeat(5)], summary: long, responses: {} },
      });
      const report = await bring(apiId, document, { publish: true });
      expect(report.items.map(({ endpoint }) => endpoint)).toEqual(['/a@get']);
      expect(report.warnings.map(({ code }) => code)).toEqual(['operation_skipped']);
      const [endpoint] = await endpoints(`apiId=${apiId}`);
      expect(endpoint).toMatchObject({ domain: null, description: long });
    });

    it.each([
      ['JSON', '{"openapi": "3.1.0",\n  "paths": {,}}', /line 2, column 13/],
      ['YAML', 'openapi: 3.1.0\npaths:\n  - [', /line \d+, column \d+/],
      ['of no known kind', '{"hello": "world"}', /format/],
    ])('refuses a document whole that is broken (%s)', async (_, document, place) => {
      const apiId = freshApi();
      const before = await positionOfLog();
      const { status, body } = await send<Problem>('POST', '/imports', {
        body: { api: { apiId }, version, document },
      });
      expect(status).toBe(400);
      expect(body.detail).toMatch(place);
      expect(body.errors[0]?.pointer).toMatch(/^\/document/);
      expect(await positionOfLog()).toBe(before);
      expect((await send('GET', `/apis/${apiId}`)).status).toBe(404);
    });

    it('needs a document, and names every fault beside it', async () => {
      const none = await send<Problem>('POST', '/imports', { body: { api: { apiId: 'x' }, version } });
      expect([none.status, none.body.errors[0]?.pointer]).toEqual([400, '/document']);
      const body = { api: {}, version: { ...version, envTag: 7 }, colour: 'red', document: documentOf('a') };
      const bad = await send<Problem>('POST', '/imports', { body });
      expect(bad.status).toBe(400);
      const pointers = bad.body.errors.map(({ pointer }) => pointer);
      expect(pointers).toEqual(expect.arrayContaining(['/api/apiId', '/version/envTag', '/colour']));
      const torn = await send<Problem>('POST', '/imports', { raw: '{"api": ' });
      expect([torn.status, torn.body.detail]).toEqual([400, expect.stringMatching(/line 1, column 9/)]);
      const tagged = await send<Problem>('POST', '/imports', {
        body: { api: { apiId: 'x' }, version, document: documentOf('a') },
        headers: { 'if-match': '"1"' },
      });
      expect(tagged.status).toBe(400);
    });

    it('goes to one version: another service, environment or type is refused', async () => {
      const apiId = freshApi();
      await bring(apiId, documentOf('a'));
      const others = [{ serviceId: 'payments' }, { envTag: undefined }, { apiType: 'mcp' }];
      for (const other of others) {
        const body = { api: { apiId }, version: { ...version, ...other }, document: documentOf('a') };
        const { status, body: problem } = await send<Problem>('POST', '/imports', { body });
        expect([status, problem.code]).toEqual([409, 'api_version_mismatch']);
      }
      const tools = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
      const foreign = await send<Problem>('POST', '/imports', {
        body: { api: { apiId }, version, document: tools },
      });
      expect([foreign.status, foreign.body.code]).toEqual([409, 'format_mismatch']);
      expect(await endpoints(`apiId=${apiId}`)).toHaveLength(1);
    });

    it('keeps no secret that it finds', async () => {
      const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
      const document = documentOf('a');
      Object.assign(document.info, { description: `Call it with the token ${secret}.` });
      const report = await bring(freshApi(), document);
      expect(report.warnings.map(({ code }) => code)).toContain('secret_redacted');
      const read = await send('GET', `/api-versions/${report.apiVersionId}?spec=true`);
      expect(read.text).toContain('[redacted:');
      expect(read.text).not.toContain(secret);
    });

    it('is replayed under its idempotency key', async () => {
      const call = {
        body: { api: { apiId: freshApi() }, version, document: documentOf('a') },
        headers: { 'idempotency-key': `import-${kind}`.replaceAll(' ', '-') },
      };
      const first = await send<Report>('POST', '/imports', call);
      const second = await send<Report>('POST', '/imports', call);
      expect(second.text).toBe(first.text);
      expect(second.body.added).toBe(1);
    });
  });

  describe('an import into a version', () => {
    const yaml =
      'openapi: 3.1.0\ninfo: {title: Orders, version: "1"}\npaths:\n  /a:\n    get: {operationId: a, responses: {}}\n';

    it('takes the raw document, with the options in the query', async () => {
      const { apiVersionId } = await bring(freshApi(), documentOf('a', 'b'));
      const path = `/api-versions/${apiVersionId}/imports`;
      for (const type of ['application/yaml', 'text/plain']) {
        const headers = { 'content-type': type };
        const dry = await send<Report>('POST', `${path}?dryRun=true`, { raw: yaml, headers });
        expect(dry.body).toMatchObject({ unchanged: 1, deactivated: 1 });
      }
      const json = await send<Report>('POST', `${path}?dryRun=true&publish=true`, {
        raw: JSON.stringify(documentOf('c')),
      });
      expect(json.body).toMatchObject({ added: 1, deactivated: 2, published: 1 });
      expect((await send('POST', `${path}?dryRun=perhaps`, { raw: yaml })).status).toBe(400);
      expect((await send('POST', path, { raw: yaml, headers: { 'content-type': 'text/html' } })).status).toBe(
        415,
      );
    });

    it('takes a body that holds the document', async () => {
      const { apiVersionId } = await bring(freshApi(), documentOf('a'));
      const body = { document: yaml, format: 'openapi', dryRun: true };
      const held = await send<Report>('POST', `/api-versions/${apiVersionId}/imports`, { body });
      expect(held.body).toMatchObject({ unchanged: 1, total: 1 });
    });

    it('of what a gateway lists keeps the source’s word on how an endpoint is called', async () => {
      const apiId = freshApi();
      const tool = {
        name: 'transfer',
        description: 'Moves money.',
        inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
      };
      const source = await bring(apiId, { tools: [tool] }, { version: { ...version, apiType: 'mcp' } });
      const listed = {
        ...tool,
        description: 'Says the gateway.',
        inputSchema: { type: 'object' },
        annotations: { destructiveHint: true },
      };
      const gateway = await send<Report>('POST', `/api-versions/${source.apiVersionId}/imports`, {
        body: { document: { tools: [listed] }, layer: 'gateway' },
      });
      expect(gateway.body).toMatchObject({
        changed: 1,
        conflicts: expect.arrayContaining([
          expect.objectContaining({ endpoint: 'transfer@call', field: 'inputSchema', layer: 'gateway' }),
        ]),
      });
      const { body } = await send<Record<string, unknown>>(
        'GET',
        `/endpoints/${v5('transfer@call', source.apiVersionId)}`,
      );
      expect(body).toMatchObject({
        description: 'Moves money.',
        inputSchema: tool.inputSchema,
        layers: {
          source: { inputSchema: tool.inputSchema },
          gateway: { description: 'Says the gateway.', inputSchema: listed.inputSchema },
        },
        toolMetadata: { safety: { destructive: true } },
        provenance: { 'safety.destructive': 'gateway', description: 'source' },
      });
      const empty = await send<Report>('POST', `/api-versions/${source.apiVersionId}/imports`, {
        body: { document: { tools: [] }, layer: 'gateway' },
      });
      expect(empty.body).toMatchObject({ deactivated: 0, changed: 1 });
      expect(
        (await send('GET', `/endpoints/${v5('transfer@call', source.apiVersionId)}`)).body,
      ).toMatchObject({ active: true, vanished: ['gateway'] });
    });
  });

  it('reports a name that is taken, and publishes the rest', async () => {
    await bring(freshApi(), documentOf('taken'), { publish: true });
    const report = await bring(freshApi(), documentOf('taken', 'free'), { publish: true });
    expect(report.published).toBe(1);
    expect(report.conflicts).toEqual([
      expect.objectContaining({ endpoint: '/taken@get', field: 'toolName', code: 'tool_name_taken' }),
    ]);
  });

  it('takes GitHub’s 1,223 operations in one transaction, and nothing the second time', async () => {
    const file = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');
    const document = await readFile(file, 'utf8');
    const apiId = freshApi();
    const github = { version: { ...version, envTag: undefined }, publish: true };
    const first = await bring(apiId, document, github);
    expect(first).toMatchObject({ total: 1223, added: 1223, published: 1223, conflicts: [] });
    const again = await bring(apiId, document, github);
    expect(again).toMatchObject({ total: 1223, unchanged: 1223, added: 0, published: 0 });
    expect(again.position).toBeLessThanOrEqual(first.position);
    const tools = await send<List>('GET', `/tools?apiVersionId=${first.apiVersionId}&limit=500`);
    for (const { name } of tools.body.items) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  });

  it('refuses what is nested too deeply beside a document', async () => {
    const deep = '['.repeat(300_000) + ']'.repeat(300_000);
    const raw = `{"api":{"apiId":"deep"},"x":${deep},"document":"x"}`;
    const refused = await server().api('POST', '/imports', { raw });
    expect([refused.status, refused.body['code']]).toEqual([400, 'invalid_body']);
  });
});
