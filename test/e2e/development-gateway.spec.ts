import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { v7 } from 'uuid';
import {
  startDevelopmentGateway,
  type RunningGateway,
} from '../../src/development-gateway/development-gateway.js';
import { readConfig } from '../../src/platform/config/config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { until } from '../until.js';
import { startEverything, type McpServer } from './gateway-servers.js';
import { eachServer, hostId, type Server } from './server.js';

interface Asked {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An API that notes what it is asked, and answers what it is told to. */
class NotingApi {
  readonly asked: Asked[] = [];
  answer: { readonly status: number; readonly type: string; readonly body: string } = ok({ done: true });

  private constructor(
    readonly url: string,
    readonly stop: () => void,
  ) {}

  static async start(): Promise<NotingApi> {
    const api: { self?: NotingApi } = {};
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const { method, url, headers } = request;
        api.self?.asked.push({ method, url, headers, body });
        const { status, type, body: answer } = api.self?.answer ?? ok({});
        response.writeHead(status, { 'content-type': type }).end(answer);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return (api.self = new NotingApi(`http://127.0.0.1:${String(port)}`, () => {
      server.closeAllConnections();
      server.close();
    }));
  }

  get last(): Asked | undefined {
    return this.asked.at(-1);
  }
}

const ok = (body: object) => ({ status: 200, type: 'application/json', body: JSON.stringify(body) });
const string = { type: 'string' };
const operation = (operationId: string, more: object = {}) => ({
  operationId,
  description: `Does ${operationId}.`,
  responses: { 200: { description: 'Done.' } },
  ...more,
});

const accounts = {
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  components: {
    securitySchemes: {
      login: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://a.example', scopes: { 'accounts.read': 'Reads.' } },
        },
      },
    },
  },
  paths: {
    '/accounts/{no}': {
      parameters: [{ name: 'no', in: 'path', required: true, schema: string }],
      get: operation('readAccount', { security: [{ login: ['accounts.read'] }] }),
      delete: operation('closeAccount'),
      patch: operation('changeAccount', {
        parameters: [
          { name: 'tag', in: 'query', schema: { type: 'array', items: string } },
          { name: 'X-Reason', in: 'header', schema: string },
          { name: 'crumb', in: 'cookie', schema: string },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { no: string, limits: { type: 'object' }, note: { type: ['string', 'null'] } },
              },
            },
          },
        },
      }),
    },
    '/nowhere': { get: operation('askNobody') },
    '/inside': { get: operation('askInside') },
    '/secret': { get: operation('askWithSecret') },
    '/refund': { post: operation('refund') },
    '/approve': { post: operation('approve') },
  },
};
const schema = `type Query { order(id: ID!, deep: Boolean): Order }
type Mutation { cancel(id: ID!, reason: String): CancelPayload }
type Order { id: ID! state: String }
type CancelPayload { order: Order userErrors: [UserError!]! }
type UserError { message: String! }`;
const echo = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { message: string } },
};

eachServer((server) => {
  let api: NotingApi;
  let everything: McpServer;
  let gateway: RunningGateway;
  let gatewayId: string;
  let token: string;
  let secrets: string;
  const toolIds: Record<string, string> = {};
  const lines: string[] = [];
  const clients: Client[] = [];

  beforeAll(async () => {
    [api, everything] = await Promise.all([NotingApi.start(), startEverything()]);
    gatewayId = v7();
    secrets = await mkdtemp(join(tmpdir(), 'portal-catalog-secrets-'));
    await mkdir(join(secrets, hostId));
    const profile = { serviceId: 'gateway', envTag: 'dev', url: 'http://127.0.0.1:4000/mcp' };
    await asked(server(), 'PUT', `/gateways/${gatewayId}`, profile);
    await publish('accounts', 'openapi', accounts);
    await publish('orders', 'graphql', schema);
    await publish('echoes', 'mcp', { tools: [echo] });
    await asked(server(), 'PATCH', `/tools/${idOf('refund')}`, {
      routing: { sensitivityTier: 'restricted' },
    });
    await asked(server(), 'PATCH', `/tools/${idOf('approve')}`, { safety: { humanApprovalRequired: true } });
    await writeFile(
      join(secrets, hostId, 'downstream.json'),
      JSON.stringify({ value: 's3cr3t', origins: [api.url] }),
    );
    await expose(Object.keys(toolIds));
    gateway = await start();
    token = await server().token({ scope: 'catalog:agent accounts.read', sid: 'agent' });
  });

  afterEach(async () => {
    api.answer = ok({ done: true });
    await Promise.all(clients.splice(0).map((client) => client.close()));
  });
  afterAll(async () => {
    await gateway.stop();
    await everything.stop();
    api.stop();
    await rm(secrets, { recursive: true, force: true });
  });

  const idOf = (name: string): string => {
    const id = toolIds[name];
    if (id === undefined) throw new Error(`There is no tool ${name}.`);
    return id;
  };
  async function publish(apiId: string, apiType: string, document: unknown): Promise<void> {
    const version = { apiVersion: '1', apiType, serviceId: apiId, envTag: 'dev' };
    const format = apiType === 'graphql' ? { format: 'graphql' } : {};
    await asked(server(), 'POST', '/imports', {
      api: { apiId },
      version,
      document,
      publish: true,
      ...format,
    });
    const tools = (await server().api('GET', `/tools?apiId=${apiId}`)).body['items'];
    for (const { name, toolId } of tools as { name: string; toolId: string }[]) toolIds[name] = toolId;
  }
  const expose = (names: readonly string[]) => {
    const target = (name: string): object => {
      if (name === 'askNobody') return {};
      if (name === 'askInside') return { targetHost: 'http://10.0.0.1' };
      if (name === 'echo') return { targetHost: everything.url };
      if (name === 'order' || name === 'cancel') return { targetHost: `${api.url}/graphql` };
      const runtime =
        name === 'askWithSecret' ? { runtime: { auth: { type: 'bearer', secret: 'downstream' } } } : {};
      return { targetHost: `${api.url}/v1`, ...runtime };
    };
    const tools = names.map((name) => ({ toolId: idOf(name), ...target(name) }));
    return asked(server(), 'PUT', `/gateways/${gatewayId}/exposures`, { tools });
  };
  const start = (anonymous = false): Promise<RunningGateway> => {
    const config = readConfig({
      ...{ DATA_DIR: server().directory, OUTBOUND_ALLOW: '127.0.0.1', SECRETS_DIR: secrets },
    });
    const settings = {
      gateway: { gatewayId, hostId, envTag: 'dev' },
      address: new URL('http://127.0.0.1:0/mcp'),
      anonymous,
      readConfig: async () => (await server().api('GET', `/gateways/${gatewayId}/config`)).text,
    };
    return startDevelopmentGateway(
      settings,
      config,
      createLog('info', { write: (line) => void lines.push(line) }),
    );
  };
  type Mode = 'legacy' | { readonly pin: '2026-07-28' };
  const connect = async (
    url = gateway.url,
    sent = token,
    mode: Mode = { pin: '2026-07-28' },
  ): Promise<Client> => {
    const headers = sent === '' ? {} : { authorization: `Bearer ${sent}` };
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    clients.push(client);
    return client;
  };
  const call = async (name: string, args: Record<string, unknown>, client?: Client) => {
    const result = await (client ?? (await connect())).callTool({ name, arguments: args });
    const [first] = result.content;
    return { ...result, text: first?.type === 'text' ? first.text : '' };
  };
  const audits = () =>
    lines.flatMap((line) => {
      const { auditInfo } = JSON.parse(line) as { auditInfo?: Record<string, unknown> };
      return auditInfo === undefined ? [] : [auditInfo];
    });

  it('lists what policy and the caller’s scopes admit, in both revisions of the protocol', async () => {
    const all = ['askInside', 'askNobody', 'askWithSecret', 'cancel', 'changeAccount', 'echo', 'order'];
    for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
      const { tools } = await (await connect(gateway.url, token, mode)).listTools();
      expect(tools.map(({ name }) => name)).toEqual([...all, 'readAccount']);
    }
    expect(audits().at(-1)).toEqual({
      toolPolicyDecision: 'filtered',
      toolPolicyBlockedTools: ['approve', 'closeAccount', 'refund'],
      toolPolicyReasons: {
        approve: 'approval_required_missing_workflow',
        closeAccount: 'destructive_tool_requires_approval_workflow',
        refund: 'sensitivity_tier_exceeds_policy',
      },
    });
    const less = await connect(gateway.url, await server().token({ scope: 'catalog:agent', sid: 'agent' }));
    expect((await less.listTools()).tools.map(({ name }) => name)).toEqual(all);
    // What the catalog compares is in order, but for what policy blocks.
    expect((await less.listTools()).tools.find(({ name }) => name === 'echo')).toMatchObject({
      inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
      annotations: { readOnlyHint: false, destructiveHint: false },
    });
  });

  it('puts each argument where it belongs, and what is not given nowhere', async () => {
    const given = {
      no: 'b',
      no__path: 'a/../b',
      tag: ['x', 'y&z'],
      'X-Reason': 'move',
      crumb: 'c;d',
      limits: { day: 5 },
    };
    const result = await call('changeAccount', given);
    expect([result.text, result.structuredContent]).toEqual(['{"done":true}', { done: true }]);
    const { method, url, headers, body } = api.last ?? {};
    expect([method, url]).toEqual(['PATCH', '/v1/accounts/a%2F..%2Fb?tag=x&tag=y%26z']);
    expect(headers).toMatchObject({
      'x-reason': 'move',
      cookie: 'crumb=c%3Bd',
      'content-type': 'application/json',
    });
    expect(headers).not.toHaveProperty('authorization');
    expect(JSON.parse(body ?? '')).toEqual({ no: 'b', limits: { day: 5 } });
    await call('changeAccount', { no__path: '1', note: null });
    expect([api.last?.url, api.last?.body]).toEqual(['/v1/accounts/1', '{"note":null}']);
  });

  it('tells the model what went wrong', async () => {
    const before = api.asked.length;
    expect(await call('readAccount', { no: 7 })).toMatchObject({
      isError: true,
      text: 'invalid_arguments: /no must be text',
    });
    for (const no of ['..', '%2e.', ''])
      expect((await call('readAccount', { no })).isError === true).toBe(no !== '%2e.');
    expect(api.asked.length).toBe(before + 1);
    api.answer = { status: 404, type: 'application/problem+json', body: '{"title":"No such account"}' };
    expect(await call('readAccount', { no: '7' })).toMatchObject({
      isError: true,
      text: 'http_404: {"title":"No such account"}',
    });
    api.answer = { status: 302, type: 'text/plain', body: '' };
    expect((await call('readAccount', { no: '7' })).text).toMatch(/^downstream_redirected: /);
    expect((await call('askNobody', {})).text).toMatch(/^no_target: /);
    expect((await call('askInside', {})).text).toMatch(/^downstream_refused: .*OUTBOUND_ALLOW/);
    expect(audits().at(-1)).toMatchObject({ toolName: 'askInside', toolResult: 'failed' });
  });

  it.each([
    [
      'refund',
      'sensitivity_tier_exceeds_policy',
      { sensitivityTier: 'restricted', maxSensitivityTier: 'internal' },
    ],
    [
      'closeAccount',
      'destructive_tool_requires_approval_workflow',
      { destructive: true, endpoint: '/accounts/{no}@delete' },
    ],
    ['approve', 'approval_required_missing_workflow', { requiresApproval: true, approvalConfigured: false }],
    ['readAccount', 'insufficient_scope', { readOnly: true }],
  ])('refuses %s before it is called: %s', async (name, reason, facts) => {
    const before = api.asked.length;
    const client = await connect(gateway.url, await server().token({ scope: 'catalog:agent', sid: 'agent' }));
    await expect(call(name, { no: '1' }, client)).rejects.toMatchObject({
      code: -32004,
      data: { toolName: name, reason, ...facts },
    });
    expect(audits().at(-1)).toMatchObject({
      toolName: name,
      toolArguments: ['no'],
      toolPolicyDecision: 'blocked',
      toolPolicyReason: reason,
    });
    expect(api.asked.length).toBe(before);
  });

  it('carries out GraphQL operations, and tells their failures apart', async () => {
    api.answer = ok({ data: { order: { id: '7', state: 'OPEN' } } });
    expect(await call('order', { id: '7' })).toMatchObject({ structuredContent: { order: { id: '7' } } });
    expect(JSON.parse(api.last?.body ?? '')).toEqual({
      query: expect.stringMatching(/^query query_order\(\$id: ID!, \$deep: Boolean\) /),
      operationName: 'query_order',
      variables: { id: '7' },
    });
    const failing = async (answer: object): Promise<unknown> => {
      api.answer = ok(answer);
      const { isError, text: said } = await call('cancel', { id: '7' });
      return isError === true ? said : undefined;
    };
    expect(await failing({ errors: [{ message: 'Not yours.' }], data: null })).toBe(
      'graphql_errors: Not yours.',
    );
    expect(await failing({ data: { cancel: null } })).toBe('no_data: Operation returned no data.');
    const payload = { order: null, userErrors: [{ message: 'Shipped already.' }, { message: 'Too late.' }] };
    expect(await failing({ data: { cancel: payload } })).toBe('payload_errors: Shipped already., Too late.');
    expect(await failing({ data: { cancel: { order: { id: '7' }, userErrors: [] } } })).toBeUndefined();
    api.answer = { status: 401, type: 'application/json', body: '{"message":"Who are you?"}' };
    expect((await call('cancel', { id: '7' })).text).toBe('http_401: {"message":"Who are you?"}');
    const open = await start(true);
    const nobody = await connect(open.url, '');
    expect((await call('cancel', { id: '7' }, nobody)).text).toMatch(/^no_caller: /);
    expect((await nobody.listTools()).tools.map(({ name }) => name)).not.toContain('readAccount');
    await open.stop();
  });

  it('calls the tools of MCP servers', async () => {
    expect(await call('echo', { message: 'Good morning' })).toMatchObject({ text: 'Echo: Good morning' });
  });

  it('sends a credential that is only named, to the origin that it is for', async () => {
    await call('askWithSecret', {});
    expect(api.last?.headers.authorization).toBe('Bearer s3cr3t');
    // What the API repeats of it reaches nobody, also where it refuses.
    const said = { sent: { authorization: 'Bearer s3cr3t' } };
    for (const status of [200, 401, 500]) {
      api.answer = { ...ok(said), status };
      const echoed = await call('askWithSecret', {});
      expect(JSON.stringify(echoed)).not.toContain('s3cr3t');
      expect(echoed.text).toContain('Bearer [redacted]');
    }
    api.answer = ok({ done: true });
    await rm(join(secrets, hostId, 'downstream.json'));
    expect((await call('askWithSecret', {})).text).toMatch(/^credential_unavailable: /);
    expect(lines.join('')).not.toContain('s3cr3t');
    expect(lines.join('')).not.toContain(token);
  });

  it('takes tokens for its host and environment, from its own machine', async () => {
    const send = (headers: Record<string, string>) =>
      fetch(gateway.url, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await send({})).status).toBe(401);
    expect((await send({ authorization: 'Bearer x.y.z' })).status).toBe(401);
    for (const claims of [{ env: 'prod' }, { host: v7() }]) {
      const other = await server().token(claims);
      expect((await send({ authorization: `Bearer ${other}` })).status).toBe(403);
    }
    const authorization = `Bearer ${token}`;
    expect((await send({ authorization, origin: 'https://evil.example' })).status).toBe(403);
  });

  it('serves what is exposed now', async () => {
    const client = await connect();
    await expose(['readAccount']);
    await until(
      () => client.listTools(),
      ({ tools }) => tools.length === 1,
    );
    await expect(call('echo', { message: 'x' }, client)).rejects.toMatchObject({ code: -32602 });
    expect(await call('readAccount', { no: '7' }, client)).toMatchObject({ text: '{"done":true}' });
  });
});

async function asked(server: Server, method: string, path: string, body: unknown): Promise<void> {
  const answer = await server.api(method, path, { body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${String(answer.status)} ${answer.text}`);
}
