import { eachServer, type ApiAnswer } from './server.js';

interface Receipt {
  readonly id: string;
  readonly version: number;
  readonly position: number;
  readonly changed: boolean;
}
interface List {
  readonly items: readonly Record<string, unknown>[];
  readonly nextCursor?: string;
}
interface Problem {
  readonly code: string;
  readonly detail: string;
}

const operation = (more: object = {}) => ({
  operationId: 'getAccount',
  tags: ['accounts', 'money'],
  summary: 'Get one account',
  parameters: [{ name: 'accountNo', in: 'path', required: true, schema: { type: 'string' } }],
  responses: { '200': { description: 'The account' } },
  ...more,
});
const documentOf = (paths: object) => ({
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  paths,
});
const accounts = (more: object = {}) =>
  documentOf({
    '/accounts/{accountNo}': {
      get: operation(more),
      delete: operation({ operationId: 'closeAccount', summary: 'Close an account' }),
    },
  });

let apis = 0;

eachServer((server) => {
  const api = <Body = Receipt>(
    ...call: Parameters<ReturnType<typeof server>['api']>
  ): Promise<ApiAnswer<Body>> => server().api<Body>(...call);

  /** Imports the accounts under an API of its own, and gives the endpoints by method. */
  const imported = async (document: object = accounts()) => {
    const apiId = `accounts-${String((apis += 1))}`;
    const { body } = await api<{ apiVersionId: string }>('POST', '/imports', {
      body: { api: { apiId }, version: { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' }, document },
    });
    const { body: list } = await api<List>('GET', `/endpoints?apiId=${apiId}`);
    const ids = Object.fromEntries(list.items.map(({ method, endpointId }) => [method, endpointId])) as {
      get: string;
      delete: string;
    };
    return { apiId, apiVersionId: body.apiVersionId, ...ids };
  };

  describe('an API', () => {
    it('is registered, read, changed and listed', async () => {
      const made = await api('POST', '/apis', {
        body: { apiId: 'orders', apiName: 'Orders', lob: 'Retail' },
      });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ id: 'orders', version: 1, changed: true });
      expect(made.headers.get('location')).toMatch(/\/apis\/orders$/);
      const patch = { body: { apiDesc: 'Orders of shops.', lob: null } };
      expect((await api('PATCH', '/apis/orders', patch)).body).toMatchObject({ version: 2, changed: true });
      expect((await api('PATCH', '/apis/orders', patch)).body).toMatchObject({ version: 2, changed: false });
      const read = await api<Record<string, unknown>>('GET', '/apis/orders');
      expect(read.headers.get('etag')).toBe('"2"');
      expect(read.body).toMatchObject({
        apiName: 'Orders',
        apiDesc: 'Orders of shops.',
        lob: null,
        active: true,
      });
      const { body: list } = await api<List>('GET', '/apis?q=shops');
      expect(list.items).toEqual([read.body]);
    });

    it('is registered once, and changed at the version expected', async () => {
      await api('POST', '/apis', { body: { apiId: 'once', apiName: 'Once' } });
      const again = await api<Problem>('POST', '/apis', { body: { apiId: 'once', apiName: 'Twice' } });
      expect([again.status, again.body.code]).toEqual([409, 'api_exists']);
      const late = await api<Problem>('PATCH', '/apis/once', { body: {}, headers: { 'if-match': '"7"' } });
      expect([late.status, late.body.code]).toEqual([412, 'version_conflict']);
      expect((await api('PATCH', '/apis/never', { body: {} })).status).toBe(404);
      expect((await api('GET', '/apis/never')).status).toBe(404);
      expect((await api('GET', '/apis/never/versions')).status).toBe(404);
    });
  });

  describe('an API version', () => {
    const version = { apiVersion: '1', apiType: 'openapi', serviceId: 'accounts', envTag: 'dev' };

    it('is registered with its document, in one transaction', async () => {
      await api('POST', '/apis', { body: { apiId: 'withspec', apiName: 'With spec' } });
      const made = await api<Receipt & { import: { added: number } }>('POST', '/apis/withspec/versions', {
        body: { ...version, spec: accounts() },
      });
      expect([made.status, made.body.version, made.body.import.added]).toEqual([201, 1, 2]);
      const { id } = made.body;
      expect(made.headers.get('location')).toMatch(new RegExp(`/api-versions/${id}$`));
      const read = await api<Record<string, unknown>>('GET', `/api-versions/${id}?spec=true`);
      expect(read.body).toMatchObject({
        ...version,
        apiId: 'withspec',
        specFormat: 'openapi',
        quarantine: false,
      });
      expect(JSON.parse(read.body['spec'] as string)).toEqual(accounts());
      expect((await api('GET', `/api-versions/${id}`)).body).not.toHaveProperty('spec');
    });

    it('is changed, with a document and without', async () => {
      const { apiVersionId } = await imported();
      const path = `/api-versions/${apiVersionId}`;
      const first = await api<Receipt & { import?: object }>('PATCH', path, { body: { quarantine: true } });
      expect(first.body).toMatchObject({ id: apiVersionId, version: 2, changed: true });
      expect(first.body.import).toBeUndefined();
      const spec = JSON.stringify(accounts({ summary: 'Find one account' }));
      const second = await api('PATCH', path, { body: { spec }, headers: { 'if-match': '"2"' } });
      expect(second.body).toMatchObject({ version: 3, changed: true, import: { changed: 1, unchanged: 1 } });
      expect((await api('GET', path)).headers.get('etag')).toBe('"3"');
      const third = await api('PATCH', path, { body: { spec, quarantine: true } });
      expect(third.body).toMatchObject({ version: 3, changed: false, import: { unchanged: 2 } });
      const late = await api('PATCH', path, { body: { spec: accounts() }, headers: { 'if-match': '"2"' } });
      expect(late.status).toBe(412);
    });

    it('is one of its API, which exists', async () => {
      const { apiId } = await imported();
      const twice = await api<Problem>('POST', `/apis/${apiId}/versions`, { body: version });
      expect([twice.status, twice.body.code]).toEqual([409, 'api_version_exists']);
      expect((await api('POST', '/apis/never/versions', { body: version })).status).toBe(404);
      await api('POST', `/apis/${apiId}/versions`, { body: { ...version, apiVersion: '2' } });
      const { body: list } = await api<List>('GET', `/apis/${apiId}/versions`);
      expect(list.items.map(({ apiVersion }) => apiVersion)).toEqual(['1', '2']);
      const { body: page } = await api<List>('GET', `/api-versions?apiId=${apiId}&limit=1`);
      expect(page.items).toHaveLength(1);
      const { body: next } = await api<List>(
        'GET',
        `/api-versions?apiId=${apiId}&cursor=${String(page.nextCursor)}`,
      );
      expect(next.items.map(({ apiVersion }) => apiVersion)).toEqual(['2']);
    });

    it('of an agent names its environment, and takes no document', async () => {
      await api('POST', '/apis', { body: { apiId: 'agent', apiName: 'Agent' } });
      const agent = { apiVersion: '1', apiType: 'agent', serviceId: 'accounts' };
      const nowhere = await api<Problem & { errors: object[] }>('POST', '/apis/agent/versions', {
        body: agent,
      });
      expect([nowhere.status, nowhere.body.errors]).toEqual([
        400,
        [expect.objectContaining({ pointer: '/envTag' })],
      ]);
      const body = { ...agent, envTag: 'dev', spec: accounts() };
      const withSpec = await api<Problem>('POST', '/apis/agent/versions', { body });
      expect([withSpec.status, withSpec.body.code]).toEqual([409, 'agent_without_document']);
      expect((await api<List>('GET', '/apis/agent/versions')).body.items).toEqual([]);
    });

    it('has every fault of its body named', async () => {
      const body = {
        apiVersion: '',
        apiType: 'soap',
        serviceId: ' accounts ',
        envtag: 'dev',
        spec: accounts(),
      };
      const bad = await api<{ errors: { pointer: string }[] }>('POST', '/apis/any/versions', { body });
      expect(bad.status).toBe(400);
      const pointers = bad.body.errors.map(({ pointer }) => pointer);
      for (const pointer of ['/apiVersion', '/apiType', '/serviceId', '/envtag'])
        expect(pointers).toContain(pointer);
    });
  });

  describe('an operator’s word on an endpoint', () => {
    it('keeps no secret', async () => {
      const { get: id } = await imported();
      const body = { routing: { semanticDescription: `Call with ghp_${'a1B2'.repeat(9)}` } };
      const written = await api<{ warnings: object[] }>('PATCH', `/endpoints/${id}`, { body });
      expect(written.body.warnings).toMatchObject([
        { code: 'secret_redacted', pointer: '/routing/semanticDescription' },
      ]);
      expect((await api('GET', `/endpoints/${id}`)).body).toMatchObject({
        toolMetadata: { routing: { semanticDescription: 'Call with [redacted:github]' } },
      });
    });

    it('wins, shows where each field came from, and is taken back', async () => {
      const { get: id } = await imported();
      const before = await api<Record<string, unknown>>('GET', `/endpoints/${id}`);
      expect(before.body).toMatchObject({
        description: 'Get one account',
        domain: 'accounts',
        provenance: { description: 'source', 'routing.domain': 'source', inputSchema: 'source' },
        toolMetadata: { safety: { readOnly: true, idempotent: true, destructive: false } },
      });
      const words = {
        description: 'Looks an account up.',
        routing: { domain: 'finance.accounts', sensitivityTier: 'Restricted-PII', semanticWeight: 0.75 },
        safety: { humanApprovalRequired: true },
        lifecycleStatus: 'deprecated',
      };
      expect((await api('PATCH', `/endpoints/${id}`, { body: words })).body).toMatchObject({ version: 2 });
      const after = await api<Record<string, unknown>>('GET', `/endpoints/${id}`);
      expect(after.body).toMatchObject({
        ...{ description: 'Looks an account up.', domain: 'finance.accounts', lifecycleStatus: 'deprecated' },
        ...{ sensitivityTier: 'restricted', semanticWeight: 0.75 },
        toolMetadata: {
          routing: { sensitivityTier: 'Restricted-PII' },
          safety: { humanApprovalRequired: true },
        },
        provenance: { description: 'operator', 'routing.domain': 'operator', inputSchema: 'source' },
        layers: {
          operator: words,
          source: { description: 'Get one account', path: '/accounts/{accountNo}' },
        },
      });
      const back = { description: null, routing: { domain: null }, safety: null };
      await api('PATCH', `/endpoints/${id}`, { body: back });
      const rest = await api<Record<string, unknown>>('GET', `/endpoints/${id}`);
      expect(rest.body).toMatchObject({ description: 'Get one account', domain: 'accounts' });
      expect(rest.body['layers']).toMatchObject({
        operator: {
          routing: { sensitivityTier: 'Restricted-PII', semanticWeight: 0.75 },
          lifecycleStatus: 'deprecated',
        },
      });
      expect((await api('PATCH', `/endpoints/${id}`, { body: back })).body).toMatchObject({ changed: false });
      await api('PATCH', `/endpoints/${id}`, { body: { safety: { read_only: true } } });
      const spelled = await api('GET', `/endpoints/${id}`);
      expect(spelled.body).toMatchObject({ layers: { operator: { safety: { readOnly: true } } } });
    });

    it('outlives a re-import, which shows what has changed beneath it', async () => {
      const { apiId, apiVersionId, get: id } = await imported();
      await api('PATCH', `/endpoints/${id}`, { body: { description: 'Mine.' } });
      const report = await api<{ conflicts: object[] }>('POST', `/api-versions/${apiVersionId}/imports`, {
        body: { document: accounts({ summary: 'Get an account by number' }) },
      });
      const conflict = {
        field: 'description',
        kept: 'Mine.',
        offered: 'Get an account by number',
        layer: 'source',
      };
      expect(report.body.conflicts).toEqual([{ endpoint: '/accounts/{accountNo}@get', ...conflict }]);
      const read = await api('GET', `/endpoints/${id}`);
      expect(read.body).toMatchObject({ description: 'Mine.', conflicts: [conflict] });
      const { body: list } = await api<List>('GET', `/endpoints?apiId=${apiId}&conflict=true`);
      expect(list.items.map(({ endpointId }) => endpointId)).toEqual([id]);
    });

    it('loosens a guard only with catalog:admin', async () => {
      const { get: id, delete: other } = await imported();
      const author = await server().token({ scope: 'catalog:write', sid: 'accounts' });
      const path = `/endpoints/${id}`;
      const patch = (body: object, where = path) => api<Problem>('PATCH', where, { token: author, body });
      expect((await patch({ routing: { sensitivityTier: 'confidential' } })).status).toBe(200);
      const loosening = [
        { routing: { sensitivityTier: 'internal' } },
        { routing: { sensitivityTier: null } },
        { routing: null },
        { safety: { approvalWorkflow: 'ops/approve' } },
      ];
      for (const body of loosening) {
        const { status, body: problem } = await patch(body);
        expect([status, problem.code]).toEqual([403, 'insufficient_scope']);
      }
      expect((await patch({ safety: { destructive: false } }, `/endpoints/${other}`)).status).toBe(403);
      expect((await patch({ safety: { readOnly: true, idempotent: false } })).status).toBe(200);
      expect((await patch({ safety: { destructive: true } })).status).toBe(200);
      expect((await api('PATCH', path, { body: { routing: null, safety: null } })).status).toBe(200);
    });
  });

  describe('a list of endpoints', () => {
    it('is filtered by what is known of them', async () => {
      const { apiId, apiVersionId, get, delete: closed } = await imported();
      const routing = {
        ...{ domain: 'finance', semanticNamespace: 'prod.finance', sensitivityTier: 'restricted' },
        targetPersonas: ['Account-Agent'],
        semanticWeight: 1.3,
      };
      await api('PATCH', `/endpoints/${get}`, { body: { routing, lifecycleStatus: 'retired' } });
      const found = async (query: string) => {
        const { status, body } = await api<List>('GET', `/endpoints?apiId=${apiId}&${query}`);
        expect(status).toBe(200);
        return body.items.map(({ endpointId }) => endpointId);
      };
      for (const query of [
        'method=GET',
        'domain=finance',
        'semanticNamespace=prod.finance',
        'sensitivityTier=restricted',
        'minSemanticWeight=1.3',
        'persona=account-agent',
        'lifecycleStatus=retired',
        'q=get+one',
      ])
        expect([query, await found(query)]).toEqual([query, [get]]);
      expect(await found('gap=routing.targetPersonas')).toEqual([closed]);
      expect(await found('sourceProtocol=mcp')).toEqual([]);
      expect(await found('q=%25')).toEqual([]);
      expect(await found(`apiVersionId=${apiVersionId}&limit=500`)).toHaveLength(2);
      await api('POST', `/endpoints/${closed}/deactivate`);
      expect(await found('active=false')).toEqual([closed]);
      expect(await found('active=all')).toHaveLength(2);
      expect((await api('GET', '/endpoints?colour=red')).status).toBe(400);
    });
  });

  describe('a token', () => {
    it('reaches endpoints and versions of its services and environments, and no others exist for it', async () => {
      const { apiId, apiVersionId, get: id } = await imported();
      const foreign = [{ sid: 'payments' }, { sid: 'accounts', env: 'prod' }];
      for (const claims of foreign) {
        const token = await server().token({ ...claims, scope: 'catalog:read catalog:write catalog:admin' });
        const statuses = await Promise.all([
          api('GET', `/endpoints/${id}`, { token }),
          api('PATCH', `/endpoints/${id}`, { token, body: { description: 'x' } }),
          api('POST', `/endpoints/${id}/deactivate`, { token }),
          api('POST', `/endpoints/${id}/activate`, { token }),
          api('GET', `/api-versions/${apiVersionId}`, { token }),
          api('PATCH', `/api-versions/${apiVersionId}`, { token, body: { quarantine: true } }),
          api('POST', `/api-versions/${apiVersionId}/resync`, { token }),
          api('POST', `/api-versions/${apiVersionId}/imports`, { token, body: { document: accounts() } }),
        ]);
        expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 404));
        for (const path of [
          `/endpoints?apiId=${apiId}`,
          `/api-versions?apiId=${apiId}`,
          `/apis/${apiId}/versions`,
        ])
          expect((await api<List>('GET', path, { token })).body.items).toEqual([]);
      }
      const own = await server().token({ sid: ['payments', 'accounts'], scope: 'catalog:read' });
      expect((await api('GET', `/endpoints/${id}`, { token: own })).status).toBe(200);
    });

    it('with a maximum tier sees nothing above it, and writes nothing there', async () => {
      const { apiId, apiVersionId, get: id } = await imported();
      await api('PATCH', `/endpoints/${id}`, { body: { routing: { sensitivityTier: 'confidential' } } });
      const token = await server().token({
        ...{ sid: 'accounts', maxSensitivityTier: 'internal' },
        scope: 'catalog:read catalog:write catalog:admin',
      });
      expect((await api('GET', `/endpoints/${id}`, { token })).status).toBe(404);
      expect((await api('PATCH', `/endpoints/${id}`, { token, body: { routing: null } })).status).toBe(404);
      const { body } = await api<List>('GET', `/endpoints?apiId=${apiId}`, { token });
      expect(body.items.map(({ method }) => method)).toEqual(['delete']);
      const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
      const [document, path] = [documentOf({}), `/api-versions/${apiVersionId}`];
      const imports: [method: string, path: string, body?: object][] = [
        ['POST', `${path}/imports?dryRun=true`, { document }],
        ['POST', '/imports', { api: { apiId }, version, document }],
        ['POST', `${path}/resync`],
        ['PATCH', path, { spec: document }],
      ];
      for (const [method, to, given] of imports) {
        const refused = await api<Problem>(method, to, { token, ...(given && { body: given }) });
        expect([to, refused.status, refused.body.code]).toEqual([to, 403, 'confined_token']);
      }
      expect((await api('PATCH', path, { token, body: { quarantine: true } })).status).toBe(200);
      const { get: open, apiVersionId: whole } = await imported();
      expect((await api('POST', `/api-versions/${whole}/resync`, { token })).status).toBe(200);
      expect((await api('GET', `/endpoints/${open}`, { token })).status).toBe(200);
    });

    it('names only services and environments that it covers, also beside a document', async () => {
      const token = await server().token({ sid: 'accounts', scope: 'catalog:write' });
      const version = { apiVersion: '9', apiType: 'openapi', serviceId: 'accounts', envTag: 'dev' };
      for (const wrong of [{ serviceId: 'payments' }, { envTag: 'prod' }]) {
        const document = 'not: [a document';
        const named = { ...version, ...wrong };
        const one = await api('POST', '/imports', {
          token,
          body: { api: { apiId: 'a' }, version: named, document },
        });
        const other = await api('POST', '/apis/a/versions', { token, body: { ...named, spec: document } });
        expect([one.status, other.status]).toEqual([403, 403]);
      }
      const reader = await server().token({ sid: 'accounts', scope: 'catalog:read' });
      expect((await api('POST', '/apis', { token: reader, body: { apiId: 'x', apiName: 'X' } })).status).toBe(
        403,
      );
    });
  });
});
