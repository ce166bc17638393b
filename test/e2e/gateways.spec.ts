import { load } from 'js-yaml';
import { v7 } from 'uuid';
import { eachServer, type Server } from './server.js';

interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
interface Listed {
  readonly items: readonly Record<string, unknown>[];
}

let count = 0;
const fresh = (word: string): string => `${word}_${String((count += 1))}`;
const profileOf = (serviceId: string, more: object = {}) => ({
  serviceId,
  envTag: 'dev',
  url: 'https://gateway.example.com/mcp',
  ...more,
});

async function gateway(server: Server, serviceId = fresh('gateway'), more: object = {}): Promise<string> {
  const id = v7();
  const made = await server.api('PUT', `/gateways/${id}`, { body: profileOf(serviceId, more) });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return id;
}

async function tool(server: Server, name = fresh('tool')): Promise<string> {
  const body = {
    name,
    description: 'A tool.',
    implementationType: 'python',
    inputSchema: { type: 'object' },
  };
  const made = await server.api<{ id: string }>('POST', '/tools', { body });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return made.body.id;
}

const select = (server: Server, id: string, tools: readonly object[], token?: string) =>
  server.api<Listed & Problem>('PUT', `/gateways/${id}/exposures`, {
    body: { tools },
    ...(token === undefined ? {} : { token }),
  });

eachServer((server) => {
  it('registers a gateway: 201 first, 200 after, one for each service and environment', async () => {
    const serviceId = fresh('gateway');
    const id = await gateway(server(), serviceId, { auth: { type: 'bearer', secret: 'dev-gateway' } });
    const path = `/gateways/${id}`;
    const read = await server().api('GET', path);
    expect([read.status, read.headers.get('etag')]).toEqual([200, '"1"']);
    expect(read.body).toMatchObject({
      ...{ gatewayId: id, serviceId, envTag: 'dev', maxSensitivityTier: 'internal', protocolVersion: 'auto' },
      ...{ auth: { type: 'bearer', secret: 'dev-gateway' }, active: true, checkIntervalSeconds: null },
    });
    const again = await server().api('PUT', path, { body: profileOf(serviceId) });
    expect([again.status, again.body]).toMatchObject([200, { version: 2, changed: true }]);
    const second = await server().api<Problem>('PUT', `/gateways/${v7()}`, { body: profileOf(serviceId) });
    expect([second.status, second.body.code]).toEqual([409, 'gateway_exists']);
    const moved = await server().api<Problem>('PUT', path, { body: profileOf(fresh('gateway')) });
    expect([moved.status, moved.body.code]).toEqual([409, 'gateway_identity_fixed']);
    expect((await server().api('POST', `${path}/deactivate`)).status).toBe(200);
    const heir = await gateway(server(), serviceId);
    const back = await server().api<Problem>('POST', `${path}/activate`);
    expect([back.status, back.body.code]).toEqual([409, 'gateway_exists']);
    const list = await server().api<Listed>('GET', `/gateways?serviceId=${serviceId}`);
    expect(list.body.items.map(({ gatewayId }) => gatewayId)).toEqual([heir]);
    const all = await server().api<Listed>('GET', `/gateways?serviceId=${serviceId}&active=all`);
    expect(all.body.items).toHaveLength(2);
  });

  it('refuses addresses and secrets that do not belong into a record', async () => {
    const put = (more: object) =>
      server().api<Problem>('PUT', `/gateways/${v7()}`, { body: profileOf(fresh('gateway'), more) });
    for (const url of [
      'ftp://example.com',
      'nowhere',
      'https://a:b@example.com/',
      'https://example.com/#x',
    ]) {
      expect((await put({ url })).status).toBe(400);
    }
    const named = await put({ auth: { type: 'bearer', secret: '../etc/passwd' } });
    expect([named.status, named.body.errors?.[0]?.pointer]).toEqual([400, '/auth/secret']);
    const token = `ghp_${'a1B2'.repeat(9)}`;
    const leak = await put({ url: `https://example.com/?key=${token}` });
    expect([leak.status, leak.body.code]).toEqual([400, 'secret_in_body']);
    expect(leak.text).not.toContain(token);
  });

  it('is for operators whose token covers service and environment', async () => {
    const serviceId = fresh('gateway');
    const id = await gateway(server(), serviceId);
    const scope = 'catalog:read catalog:write catalog:admin';
    const own = await server().token({ scope, sid: serviceId });
    const path = `/gateways/${id}`;
    const toolId = await tool(server());
    await select(server(), id, [{ toolId }], own);
    const reads = ['', '/exposures', `/exposures/${toolId}`, '/config', '/tools-list', '/drift/history'];
    for (const read of reads) {
      const { status } = await server().api('GET', path + read, { token: own });
      expect([read, status]).toEqual([read, 200]);
    }
    for (const claims of [
      { scope, sid: 'other' },
      { scope, sid: serviceId, env: 'prod' },
    ]) {
      const token = await server().token(claims);
      for (const [method, rest, body] of [
        ...[...reads, '/drift'].map((read) => ['GET', read, undefined] as const),
        ['PUT', '/exposures', { tools: [] }],
        ['POST', '/activate', undefined],
        ['POST', '/deactivate', undefined],
        ['POST', '/drift/accept', { findings: [{ toolName: 'a', finding: 'not_in_catalog' }] }],
        ['POST', '/drift/check', undefined],
      ] as const) {
        const { status } = await server().api(method, path + rest, { token, body });
        expect([method, rest, status]).toEqual([method, rest, 404]);
      }
      const put = await server().api<Problem>('PUT', path, { token, body: profileOf(serviceId) });
      expect(put.status).toBe(403);
      expect((await server().api<Listed>('GET', '/gateways', { token })).body.items).toEqual([]);
    }
    const author = await server().token({ scope: 'catalog:read catalog:write', sid: serviceId });
    const put = await server().api('PUT', `/gateways/${id}`, { token: author, body: profileOf(serviceId) });
    expect(put.status).toBe(403);
    const narrowed = await server().token({ sid: serviceId, scope, maxSensitivityTier: 'public' });
    expect((await select(server(), id, [], narrowed)).status).toBe(403);
  });

  it('selects tools: all at once, by names that differ, and takes off what is not named', async () => {
    const id = await gateway(server());
    const [a, b] = [await tool(server()), await tool(server())];
    const first = await select(server(), id, [
      { toolId: a, targetHost: 'https://accounts.example.com', runtime: { cacheTtlSeconds: 60 } },
      { toolId: b },
    ]);
    expect([first.status, first.body.items]).toMatchObject([
      200,
      [
        { toolId: a, version: 1, changed: true },
        { toolId: b, version: 1, changed: true },
      ],
    ]);
    const second = await select(server(), id, [{ toolId: b }]);
    expect(second.body.items).toMatchObject([
      { toolId: a, version: 2, changed: true },
      { toolId: b, changed: false },
    ]);
    const path = `/gateways/${id}/exposures`;
    expect((await server().api<Listed>('GET', path)).body.items).toMatchObject([{ toolId: b, active: true }]);
    expect((await server().api('GET', `${path}/${a}`)).body).toMatchObject({
      ...{ toolId: a, active: false, targetHost: 'https://accounts.example.com' },
      runtime: { cacheTtlSeconds: 60 },
    });
    const unknown = await select(server(), id, [{ toolId: b }, { toolId: v7() }]);
    expect([unknown.status, unknown.body]).toMatchObject([
      409,
      { code: 'tool_not_found', errors: [{ pointer: '/tools/1/toolId' }] },
    ]);
    const twice = await select(server(), id, [{ toolId: b }, { toolId: b }]);
    expect([twice.status, twice.body.errors?.[0]?.pointer]).toEqual([400, '/tools/1/toolId']);
    const odd = await select(server(), id, [{ toolId: b, targetHost: 'accounts' }]);
    expect([odd.status, odd.body.errors?.[0]?.pointer]).toEqual([400, '/tools/0/targetHost']);
  });

  it('exports what the gateway needs, and nothing of the semantic registry', async () => {
    const id = await gateway(server(), fresh('gateway'), { maxSensitivityTier: 'confidential' });
    const apiId = fresh('accounts');
    const document = {
      openapi: '3.1.0',
      info: { title: 'Accounts', version: '1' },
      components: {
        securitySchemes: {
          oauth: {
            type: 'oauth2',
            flows: {
              clientCredentials: { tokenUrl: 'https://a.example', scopes: { 'account.w': 'Writes.' } },
            },
          },
        },
      },
      paths: {
        [`/${apiId}/{no}`]: {
          delete: {
            operationId: apiId,
            tags: ['finance'],
            security: [{ oauth: ['account.w'] }],
            parameters: [{ name: 'no', in: 'path', required: true, schema: { type: 'string' } }],
            responses: { 204: { description: 'Gone.' } },
          },
        },
      },
    };
    const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
    await server().api('POST', '/imports', { body: { api: { apiId }, version, document, publish: true } });
    const [listed] = (await server().api<Listed>('GET', `/tools?name=${apiId}`)).body.items;
    const off = await tool(server());
    await server().api('POST', `/tools/${off}/deactivate`);
    const targetHost = 'https://accounts.example.com';
    const runtime = { cacheTtlSeconds: 60 };
    const toolId = String(listed?.['toolId']);
    await select(server(), id, [{ toolId, targetHost, runtime }, { toolId: off }]);
    const config = await server().api('GET', `/gateways/${id}/config`);
    expect([config.status, config.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('yaml'),
    ]);
    expect(load(config.text)).toEqual({
      'mcp-router.tools': [
        {
          ...{ name: apiId, endpointName: apiId, description: expect.any(String), protocol: 'https' },
          ...{ serviceId: 'accounts', envTag: 'dev', targetHost, path: `/${apiId}/{no}`, method: 'delete' },
          ...{ endpoint: `/${apiId}/{no}@delete`, endpointId: listed?.['endpointId'], apiType: 'openapi' },
          inputSchema: expect.objectContaining({ type: 'object', required: ['no'] }),
          scopes: [[expect.objectContaining({ scheme: 'oauth', scopes: ['account.w'] })]],
          toolMetadata: {
            routing: { sensitivityTier: 'internal', parameters: { no: { in: 'path', name: 'no' } } },
            safety: { read_only: false, idempotent: true, destructive: true, humanApprovalRequired: false },
            policy: { maxSensitivityTier: 'confidential' },
            runtime,
            lifecycle: { version: '1.0.0', status: 'active' },
          },
        },
      ],
    });
    // The gateway's own policy blocks what destroys without an approval.
    expect((await server().api('GET', `/gateways/${id}/tools-list`)).body).toEqual({ tools: [] });
    // A name alone approves nothing: the workflow must be a published one.
    const safety = { approvalWorkflow: 'ops/approve' };
    await server().api('PATCH', `/tools/${toolId}`, { body: { safety } });
    expect((await server().api('GET', `/gateways/${id}/tools-list`)).body).toEqual({ tools: [] });
    expect((await server().api('GET', `/gateways/${id}/config`)).text).not.toContain('ops/approve');
    const definition = 'document: {dsl: 1.0.0, namespace: ops, name: approve, version: 1.0.0}\ndo: []\n';
    const flow = { namespace: 'ops', name: 'approve', version: '1.0.0', definition };
    const { body: workflow } = await server().api('POST', '/workflows', { body: flow });
    await server().api('POST', `/workflows/${String(workflow['id'])}/publish`);
    expect((await server().api('GET', `/gateways/${id}/tools-list`)).body).toMatchObject({
      tools: [{ name: apiId, annotations: { destructiveHint: true, readOnlyHint: false } }],
    });
    expect((await server().api('GET', `/gateways/${id}/config`)).text).toContain(
      'approvalWorkflow: ops/approve',
    );
    // What is retired is given to nobody.
    await server().api('PATCH', `/tools/${toolId}`, { body: { lifecycleStatus: 'retired' } });
    expect((await server().api('GET', `/gateways/${id}/tools-list`)).body).toEqual({ tools: [] });
    const less = await server().api('GET', `/gateways/${id}/config`);
    expect(load(less.text)).toEqual({ 'mcp-router.tools': [] });
  });
});
