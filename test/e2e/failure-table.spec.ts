/** "Failure Handling" of the specification, a row a test: the service, the client, and a gateway made with MCP's SDK. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtocolError } from '@modelcontextprotocol/server';
import { AgentClient } from '../../packages/agent-client/agent-client.js';
import type { AgentClientOptions } from '../../packages/agent-client/agent-options.js';
import { nodeListener } from '../../packages/agent-client/handler.js';
import type { Turn } from '../../packages/agent-client/turn.js';
import { schema, SdkGateway, type LogLine } from '../agent-world.js';
import { until } from '../until.js';
import { Relay } from './relay.js';
import { eachServer, hostId } from './server.js';
import { inSeconds } from '../dates.js';

const version = { apiVersion: '1', serviceId: 'accounts', envTag: 'dev' };
const parameter = (name: string, required = false) => ({
  name,
  in: 'query',
  required,
  schema: { type: 'string' },
});
const documentOf = (read: object) => ({
  openapi: '3.1.0',
  info: { title: 'Accounts', version: '1' },
  paths: {
    '/balance': {
      get: {
        operationId: 'readBalance',
        description: 'Shows the balance.',
        parameters: [parameter('account')],
        responses: {},
        ...read,
      },
    },
    '/statements': {
      get: { operationId: 'listStatements', description: 'Lists statements of a balance.', responses: {} },
    },
  },
});
/** As the catalog describes operations without a body. */
const only = (...parts: Parameters<typeof schema>) => ({ ...schema(...parts), additionalProperties: false });
const prompt = 'show the balance and the statements';

const names = ({ tools }: Turn): string[] => tools.map(({ name }) => name).sort();

eachServer((server) => {
  let relay: Relay;
  let http: Server;
  let agentDefId: string;
  let skillId: string;
  let toolId: string;
  let token: string;
  const gateway = new SdkGateway([]);
  const account = { account: { type: 'string' } };
  const both = [
    { name: 'readBalance', inputSchema: only(account) },
    { name: 'listStatements', inputSchema: only() },
  ];
  let agents: AgentClient[] = [];
  let lines: LogLine[] = [];

  const api = async <Body = { id: string }>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await server().api<Body>(method, path, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const publish = (document: object, more: object = {}) =>
    api<{ conflicts: { field: string }[] }>('POST', '/imports', {
      ...{ api: { apiId: 'accounts' }, version, document, publish: true },
      ...more,
    });
  const described = (word: string) => api('PATCH', `/skills/${skillId}`, { description: word });

  /** An agent before the relay, whose clock stands still: nothing but an event can tell it of a change. */
  const started = async (options: Partial<AgentClientOptions> = {}): Promise<AgentClient> => {
    const { port } = http.address() as AddressInfo;
    const agent = new AgentClient({
      catalog: { url: relay.url, token: () => token },
      gateway: { url: `http://127.0.0.1:${String(port)}/mcp` },
      follow: false,
      log: (level, message, facts) => lines.push({ level, message, facts }),
      ...options,
    });
    agents.push(agent);
    await agent.start();
    return agent;
  };

  beforeAll(async () => {
    relay = await Relay.before(server().address);
    http = createServer(nodeListener((request) => gateway.fetch(request)));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    await publish(documentOf({}));
    const { items } = await api<{ items: { name: string; toolId: string }[] }>('GET', '/tools');
    const skill = {
      name: 'Money',
      description: 'About money.',
      contentMarkdown: 'Read before you answer.',
    };
    skillId = (await api('POST', '/skills', skill)).id;
    for (const item of items) await api('PUT', `/skills/${skillId}/tools/${item.toolId}`, {});
    toolId = items.find(({ name }) => name === 'readBalance')?.toolId ?? '';
    await api('POST', '/apis', { apiId: 'agent', apiName: 'money-agent' });
    agentDefId = (await api('POST', '/apis/agent/versions', { ...version, apiType: 'agent' })).id;
    await api('PUT', `/agents/${agentDefId}`, {});
    await api('POST', `/agents/${agentDefId}/skills`, { skills: [{ skillId }] });
  });
  beforeEach(async () => {
    token = await server().token({ sid: 'accounts', scope: 'catalog:agent', agent_def_id: agentDefId });
    gateway.tools = both;
    [agents, lines] = [[], []];
  });
  afterEach(async () => {
    relay.up();
    gateway.isDown = false;
    await Promise.all(agents.map((agent) => agent.close()));
  });
  afterAll(async () => {
    http.closeAllConnections();
    http.close();
    await relay.stop();
  });

  it('catalog down at start: an empty cache, and the gateway’s own list where it is configured', async () => {
    relay.down();
    const agent = await started({ fallback: { noCatalog: 'gateway-tools' } });
    const turn = await agent.prepare(prompt);
    expect(turn.state).toMatchObject({ catalog: 'none', fallback: 'no_catalog', gateway: 'available' });
    expect(names(turn)).toEqual(['listStatements', 'readBalance']);
    const closed = await started();
    expect(await closed.prepare(prompt)).toMatchObject({ tools: [], notice: expect.any(String) });
    relay.up();
    await until(
      () => agent.prepare(prompt),
      ({ state }) => state.catalog === 'fresh',
    );
  });

  it('token missing or refused: nothing, whether the catalog answers or not', async () => {
    const nobody = { sid: 'accounts', scope: 'catalog:agent' };
    const claims = { ...nobody, agent_def_id: agentDefId };
    const tokens = {
      missing: '',
      garbage: 'garbage',
      expired: await server().token(claims, -600),
      'expired, of nobody': await server().token(nobody, -600),
      'of another host': await server().token({ ...claims, host: randomUUID() }),
    };
    const fallback = {
      noMatch: 'gateway-tools',
      noCatalog: 'gateway-tools',
      noAgent: 'gateway-tools',
    } as const;
    for (const [kind, bad] of Object.entries(tokens)) {
      token = bad;
      relay.up();
      const agent = await started({ fallback });
      expect([kind, names(await agent.prepare(prompt))]).toEqual([kind, []]);
      if (kind === 'of another host') continue;
      relay.down();
      const other = await started({ fallback });
      expect([kind, names(await other.prepare(prompt))]).toEqual([kind, []]);
    }
  });

  it('catalog down at reload: the one before, marked stale, tried again, still cut to the gateway', async () => {
    const agent = await started();
    expect((await agent.prepare(prompt)).state.catalog).toBe('fresh');
    relay.down();
    agent.invalidate();
    gateway.tools = both.slice(0, 1);
    const turn = await agent.prepare(prompt);
    expect(turn.state).toMatchObject({ catalog: 'stale', catalogAgeSeconds: expect.any(Number) });
    expect(names(turn)).toEqual(['readBalance']);
    await described('Changed while nobody could ask.');
    lines.length = 0;
    relay.up();
    // No prompt asks for it: it is tried again behind them.
    await until(
      () => lines.map(({ message }) => message),
      (messages) => messages.includes('catalog loaded'),
    );
    expect((await agent.prepare(prompt)).state.catalog).toBe('fresh');
  });

  it('gateway down: the conversation goes on without tools, and is told why', async () => {
    const agent = await started();
    gateway.isDown = true;
    const turn = await agent.prepare(prompt);
    expect(turn).toMatchObject({
      tools: [],
      instructions: '',
      state: { gateway: 'unavailable', catalog: 'fresh' },
    });
    expect(turn.notice).toMatch(/^Tools can't be used at the moment/);
    gateway.isDown = false;
    expect(names(await agent.prepare(prompt))).toHaveLength(2);
  });

  it('skill with a missing tool: left out, and shown as drift to agent and operator', async () => {
    const agent = await started();
    gateway.tools = [both[1] ?? [], { name: 'unknown', inputSchema: only() }].flat();
    expect(names(await agent.prepare(prompt))).toEqual(['listStatements']);
    expect(await agent.diagnostics({ prompt })).toMatchObject({
      ...{ missingFromGateway: ['readBalance'], extraGatewayTools: ['unknown'] },
      selectedTools: ['listStatements'],
      hiddenTools: [{ toolName: 'readBalance', reason: 'missing_from_gateway' }],
    });
    const { port } = http.address() as AddressInfo;
    const gatewayId = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e77';
    const url = `http://127.0.0.1:${String(port)}/mcp`;
    await api('PUT', `/gateways/${gatewayId}`, { serviceId: 'gateway', envTag: 'dev', url });
    await api('PUT', `/gateways/${gatewayId}/exposures`, { tools: [{ toolId }] });
    const { items } = await api<{ items: object[] }>('GET', `/gateways/${gatewayId}/drift`);
    expect(items).toContainEqual(
      expect.objectContaining({ toolName: 'readBalance', finding: 'missing_from_gateway' }),
    );
    await api('POST', `/gateways/${gatewayId}/deactivate`);
  });

  it('gateway rejects the call: the reason goes to the model, and a line to the log', async () => {
    const agent = await started();
    const turn = await agent.prepare(prompt);
    const data = { toolName: 'readBalance', reason: 'sensitivity_tier_exceeds_policy' };
    gateway.calling = () => new ProtocolError(-32004, 'Blocked.', data);
    const outcome = await turn.call('readBalance', { account: 'secret 1' });
    expect(outcome).toMatchObject({
      isError: true,
      text: expect.stringContaining('sensitivity_tier_exceeds_policy'),
      refusal: { code: -32004, reason: data.reason, data },
    });
    const refusals = lines.filter(({ message }) => message === 'gateway refused a call');
    expect(refusals).toMatchObject([
      { level: 'warn', facts: { toolName: 'readBalance', code: -32004, reason: data.reason } },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret 1');
    gateway.calling = () => ({ isError: true, content: [{ type: 'text', text: 'No such account.' }] });
    expect(await turn.call('readBalance')).toMatchObject({ isError: true, text: 'No such account.' });
    gateway.isDown = true;
    expect(await turn.call('readBalance')).toMatchObject({
      isError: true,
      text: expect.stringContaining('did not carry out'),
    });
  });

  it('schema changed: catalog and agent follow, the operator’s words stay, a broken one is left out', async () => {
    const { endpointId } = await api<{ endpointId: string }>('GET', `/tools/${toolId}`);
    await api('PATCH', `/endpoints/${endpointId}`, { description: 'Balance, as the desk says it.' });
    const agent = await started();
    await publish(documentOf({ parameters: [parameter('account'), parameter('currency')] }));
    const changed = await api<{ description: string; changed: boolean }>('GET', `/tools/${toolId}`);
    expect(changed).toMatchObject({ description: 'Balance, as the desk says it.', changed: true });
    agent.invalidate();
    gateway.tools = [
      { name: 'readBalance', inputSchema: only({ ...account, currency: { type: 'string' } }) },
    ];
    const [tool] = (await agent.prepare(prompt)).tools;
    expect(tool).toMatchObject({ description: 'Balance, as the desk says it.', name: 'readBalance' });
    expect(tool?.schemaDiffers).toBeUndefined();
    gateway.tools = [{ name: 'readBalance', inputSchema: only({ ...account, currency: {}, unit: {} }) }];
    expect((await agent.prepare(prompt)).tools).toMatchObject([{ schemaDiffers: 'compatible' }]);
    gateway.tools = [{ name: 'readBalance', inputSchema: only({ ...account, pin: {} }, ['pin']) }];
    expect((await agent.prepare(prompt)).tools).toEqual([]);
    expect((await agent.diagnostics({ prompt })).hiddenTools).toContainEqual(
      expect.objectContaining({ toolName: 'readBalance', reason: 'schema_changed' }),
    );
  });

  it('enrichment conflict: the source says how it is called, the operator what it is, the rest is for review', async () => {
    // The gateway calls it as the catalog says that it is called.
    type Schema = SdkGateway['tools'][number]['inputSchema'];
    const { inputSchema } = await api<{ inputSchema: Schema }>('GET', `/tools/${toolId}`);
    gateway.tools = [{ name: 'readBalance', inputSchema }];
    const agent = await started();
    const before = (await agent.prepare(prompt)).tools.find(({ name }) => name === 'readBalance');
    const document = {
      lightapi: '0.1.0',
      sources: { api: { type: 'openapi', version: '1' } },
      info: { title: 'Accounts', namespace: 'bank', version: '1' },
      operations: {
        readBalance: {
          ...{
            protocol: 'http',
            operationId: 'readBalance',
            source: 'api',
            description: 'Words of enrichment.',
          },
          input: { schema: { type: 'object', properties: { account: { type: 'integer' } } } },
        },
      },
    };
    const { conflicts } = await publish(document);
    expect(conflicts.map(({ field }) => field).sort()).toEqual(['description', 'inputSchema']);
    expect(await agent.clearCache()).toBe('fresh');
    const after = (await agent.prepare(prompt)).tools.find(({ name }) => name === 'readBalance');
    expect(after).toEqual(before);
    expect(after?.schemaDiffers).toBeUndefined();
  });

  it('stale cache: a tool that the gateway has removed can’t be called, and there is an end to it', async () => {
    let now = inSeconds(0) * 1000;
    const agent = await started({
      clock: () => now,
      staleOnErrorSeconds: 100,
      fallback: { noCatalog: 'none' },
    });
    relay.down();
    now += 90_000;
    gateway.tools = both.slice(1);
    const turn = await agent.prepare(prompt);
    expect(turn.state).toMatchObject({ catalog: 'stale', catalogAgeSeconds: 90 });
    expect(names(turn)).toEqual(['listStatements']);
    const calls = gateway.calls.length;
    expect(await turn.call('readBalance', { account: '1' })).toMatchObject({ isError: true });
    expect(gateway.calls).toHaveLength(calls);
    now += 90_000;
    expect(await agent.prepare(prompt)).toMatchObject({ tools: [], state: { catalog: 'none' } });
  });

  it('lost events: the stream is opened again, and tells what happened meanwhile', async () => {
    const now = inSeconds(0) * 1000;
    const agent = await started({ clock: () => now, follow: true });
    const versions = async (): Promise<readonly (number | undefined)[]> => {
      const { catalogVersion } = (await agent.prepare(prompt)).state;
      return [catalogVersion, await current()];
    };
    const isCurrent = ([known, latest]: readonly (number | undefined)[]): boolean => known === latest;
    const current = async (): Promise<number> => {
      const path = `/agents/${agentDefId}/effective-catalog?serviceId=accounts&envTag=dev`;
      return (await api<{ catalogVersion: number }>('GET', path)).catalogVersion;
    };
    await described('Changed while it was followed.');
    await until(versions, isCurrent);
    relay.down();
    await described('Changed while nobody listened.');
    const accepted = relay.accepted;
    relay.up();
    await until(versions, isCurrent);
    expect(relay.accepted).toBeGreaterThan(accepted);
  });

  it('revoked token: nothing is offered, and nothing is kept', async () => {
    const cacheDirectory = await mkdtemp(join(tmpdir(), 'agent-cache-'));
    const agent = await started({ cacheDirectory });
    expect(names(await agent.prepare(prompt))).toContain('listStatements');
    expect(await readdir(join(cacheDirectory, hostId))).toEqual([agentDefId]);
    token = await server().token({ sid: 'accounts', scope: 'catalog:agent', agent_def_id: agentDefId }, -60);
    agent.invalidate();
    const turn = await until(
      () => agent.prepare(prompt),
      ({ state }) => state.catalog === 'refused',
    );
    expect(turn).toMatchObject({ tools: [], instructions: '', notice: expect.stringContaining('refuses') });
    expect(await readdir(join(cacheDirectory, hostId))).toEqual([]);
    await rm(cacheDirectory, { recursive: true });
  });
});
