import { v7 } from 'uuid';
import { DATABASE, type Database } from '../../src/kernel/sql.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { Listener } from './catalog-listener.js';
import { ScriptedGateway } from './gateway-servers.js';
import { RebuiltBeside } from './rebuilt-beside.js';
import { usual } from './launch.js';
import { eachOwnServer } from './own-server.js';
import { hostId, type ApiAnswer } from './server.js';

interface Catalog {
  readonly catalogHash: string;
  readonly catalogVersion: number;
  readonly skills: readonly { readonly tools: readonly { readonly name: string }[] }[];
  readonly withheld: readonly {
    readonly toolName?: string;
    readonly reason: string;
    readonly detail: string;
  }[];
}
interface Listed {
  readonly items: readonly Record<string, unknown>[];
}
interface Impact {
  readonly tools: readonly { readonly name: string }[];
  readonly skills: readonly object[];
  readonly agents: readonly object[];
}
interface Switched {
  readonly changed: boolean;
  readonly version: number;
  readonly impact: Impact;
  readonly conflicts: readonly { readonly name: string; readonly code: string }[];
}
interface Problem {
  readonly code: string;
}

const operation = (operationId: string) => ({ operationId, description: 'Reads.', responses: {} });
const document = (...names: string[]) => ({
  openapi: '3.1.0',
  info: { title: 'More', version: '1' },
  paths: Object.fromEntries(names.map((name) => [`/${name}`, { get: operation(name) }])),
});
const another = (apiId: string, serviceId: string, ...names: string[]) => ({
  api: { apiId },
  version: { apiVersion: '1', serviceId, envTag: 'dev' },
  document: document(...names),
  publish: true,
});

eachOwnServer((server) => {
  let agent: AccountAgent;
  let own: string;
  let apiVersionId: string;
  let gatewayId: string;
  let gateway: ScriptedGateway;

  beforeAll(async () => {
    const operator = await server().token();
    agent = await makeAccountAgent(
      { send: (method, path, token, more = {}) => server().api(method, path, { token, body: more.body }) },
      operator,
    );
    own = await server().token({
      ...{ scope: 'catalog:agent', sid: 'accounts', agent_def_id: agent.agentDefId },
    });
    apiVersionId = String((await get<Listed>('/apis/account/versions')).items[0]?.['apiVersionId']);
    gateway = await ScriptedGateway.start();
    gatewayId = v7();
    const url = gateway.url;
    await ask('PUT', `/gateways/${gatewayId}`, { serviceId: 'gateway', envTag: 'dev', url });
    const tools = Object.values(agent.toolIds).map((toolId) => ({
      toolId,
      targetHost: 'https://a.example',
    }));
    await ask('PUT', `/gateways/${gatewayId}/exposures`, { tools });
  });
  afterAll(() => gateway.stop());

  const call = <Body>(method: string, path: string, body?: unknown, token?: string) =>
    server().api<Body>(method, path, { body, ...(token !== undefined && { token }) });
  const ask = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await call<Body>(method, path, body);
    expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.any(String)]);
    return answer.body;
  };
  const get = <Body>(path: string) => ask<Body>('GET', path);
  const catalog = (more = '') => get<Catalog>(agent.catalog + more);
  const toolsOf = ({ skills }: Catalog): string[] =>
    skills.flatMap(({ tools }) => tools.map(({ name }) => name));
  const reasonsOf = ({ withheld }: Catalog): string[] => [...new Set(withheld.map(({ reason }) => reason))];
  const refusal = ({ status, body }: ApiAnswer<Problem>): string => `${String(status)} ${body.code}`;
  /** Names of the nodes of a kind that the graph holds. */
  const graph = async (entity: string, token?: string): Promise<unknown[]> => {
    const query = { query_type: 'traversal', nodes: [{ id: 'n', entity, columns: ['name'] }] };
    const { text } = await call('POST', '/graph/query', { query }, token);
    return [...text.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name);
  };
  const found = async (body: object = {}): Promise<readonly unknown[]> => {
    await server().settled();
    return (await ask<Listed>('POST', '/search', { prompt: 'account', kinds: ['tool', 'endpoint'], ...body }))
      .items;
  };
  const offeredByGateway = async (): Promise<readonly unknown[]> => {
    const { tools } = await get<{ tools: readonly object[] }>(`/gateways/${gatewayId}/tools-list`);
    const config = await call('GET', `/gateways/${gatewayId}/config`);
    expect(config.text.includes('readAccount')).toBe(tools.length > 0);
    return tools;
  };
  const command = (name: string, body: object) =>
    call<Problem>('POST', `/agent/commands/${name}`, { ...body, format: 'raw' });

  describe('an agent', () => {
    const path = () => `/agents/${agent.agentDefId}`;

    it('that is switched off is given nothing, which the impact says beforehand, and an administrator sees', async () => {
      const before = await catalog();
      const address = `${server().address}/v1/hosts/${hostId}/agents/${agent.agentDefId}/effective-catalog/events?serviceId=accounts&envTag=dev`;
      const stream = await Listener.at(address, own);
      const impact = await get<Impact>(`${path()}/impact`);
      expect(impact).toMatchObject({
        tools: [],
        agents: [{ agentDefId: agent.agentDefId, skillIds: [agent.skillId] }],
      });
      const off = await ask<Switched>('POST', `${path()}/deactivate`);
      expect(off).toMatchObject({ changed: true, impact });
      await stream.until(1);
      stream.leave();

      expect((await call<Catalog>('GET', agent.catalog, undefined, own)).body.skills).toEqual([]);
      const { withheld, ...catalogNow } = await catalog('&withheld=true');
      expect([toolsOf({ ...catalogNow, withheld }), reasonsOf({ ...catalogNow, withheld })]).toEqual([
        [],
        ['agent_inactive'],
      ]);
      expect(withheld[0]?.detail).toBe('The agent account-agent is inactive.');
      const why = await get<Listed & { disclosed: boolean; offers: { reason: string }[] }>(
        `${path()}/effective-catalog/explain?tool=readAccount`,
      );
      expect([why.disclosed, why.offers[0]?.reason]).toEqual([false, 'agent_inactive']);
      expect(await found({ agentDefId: agent.agentDefId })).toEqual([]);
      expect([await graph('Agent'), await graph('Tool', own)]).toEqual([[], []]);
      const then = await catalog(`&asOf=${String(before.catalogVersion)}`);
      expect(then.catalogHash).toBe(before.catalogHash);
      expect((await get<Impact>(`${path()}/impact`)).agents).toEqual([]);

      expect((await get<Listed>('/agents')).items).toEqual([]);
      expect((await get<Listed>('/agents?active=false')).items).toMatchObject([{ active: false }]);
      // It may be put in order before it is switched on again.
      expect((await get<Listed>(`${path()}/skills`)).items).toHaveLength(1);
      await ask('PATCH', `${path()}/skills/${agent.skillId}`, { priority: 5 });
      await ask('PATCH', `${path()}/skills/${agent.skillId}`, { priority: 0 });
      await ask('PUT', path(), { personas: [], maxSensitivityTier: 'restricted' });
      expect(toolsOf(await catalog())).toEqual([]);

      await ask('POST', `${path()}/activate`);
      expect((await catalog()).catalogHash).toBe(before.catalogHash);
    });

    it('is switched once, under If-Match and an idempotency key, by whoever covers it', async () => {
      const headers = { 'if-match': '"1"' };
      expect(refusal(await server().api<Problem>('POST', `${path()}/deactivate`, { headers }))).toBe(
        '412 version_conflict',
      );
      expect(await ask('POST', `${path()}/activate`)).toMatchObject({ changed: false });
      const keyed = () =>
        server().api('POST', `${path()}/deactivate`, { headers: { 'idempotency-key': 'off-once' } });
      expect((await keyed()).text).toBe((await keyed()).text);
      await ask('POST', `${path()}/activate`);
      const elsewhere = await server().token({ sid: 'other', scope: 'catalog:write' });
      expect(refusal(await call<Problem>('POST', `${path()}/deactivate`, undefined, elsewhere))).toBe(
        '404 not_found',
      );
      const reader = await server().token({ scope: 'catalog:read' });
      expect(refusal(await call<Problem>('POST', `${path()}/deactivate`, undefined, reader))).toBe(
        '403 insufficient_scope',
      );
      expect(refusal(await call<Problem>('POST', `/agents/${v7()}/deactivate`))).toBe('404 not_found');
    });

    it('goes with its API version, and with its API', async () => {
      for (const place of [`/api-versions/${agent.agentDefId}`, '/apis/agent']) {
        expect((await get<Impact>(`${place}/impact`)).agents).toMatchObject([{ name: 'account-agent' }]);
        await ask('POST', `${place}/deactivate`);
        expect(reasonsOf(await catalog('&withheld=true'))).toEqual(['agent_inactive']);
        await ask('POST', `${place}/activate`);
        expect(toolsOf(await catalog())).toContain('readAccount');
      }
    });
  });

  describe.each([
    ['an API version', 'api_version_inactive', 'The version 1 of the API account is inactive.'],
    ['an API', 'api_inactive', 'The API account is inactive.'],
  ])('%s', (subject, reason, detail) => {
    const path = () => (subject === 'an API' ? '/apis/account' : `/api-versions/${apiVersionId}`);
    const record = async () => (await get<{ active: boolean }>(path())).active;

    it('that is switched off is offered nowhere, and comes back whole', async () => {
      const before = await catalog();
      const names = Object.keys(agent.toolIds).sort();
      const impact = await get<Impact>(`${path()}/impact`);
      expect(impact.tools.map(({ name }) => name)).toEqual(names);
      expect(impact).toMatchObject({
        skills: [{ skillId: agent.skillId, effect: 'no_tools' }],
        agents: [{ agentDefId: agent.agentDefId }],
      });
      for (const entity of ['Tool', 'Endpoint']) expect(await graph(entity)).toContain('readAccount');
      expect(await graph('ToolParam')).toContain('supplyPoint');
      expect(await found()).not.toEqual([]);
      expect(await offeredByGateway()).not.toEqual([]);

      expect(await ask('POST', `${path()}/deactivate`)).toMatchObject({ changed: true, impact });
      const now = await catalog('&withheld=true');
      expect([toolsOf(now), reasonsOf(now), now.withheld[0]?.detail]).toEqual([[], [reason], detail]);
      expect([await record(), await found()]).toEqual([false, []]);
      for (const entity of ['Tool', 'Endpoint']) expect(await graph(entity)).not.toContain('readAccount');
      expect(await graph('ToolParam')).not.toContain('supplyPoint');
      expect(await offeredByGateway()).toEqual([]);
      expect(
        refusal(await call<Problem>('GET', `/api-versions/${apiVersionId}/export?format=lightapi`)),
      ).toBe('409 nothing_to_export');
      const ailing = await get<{ items: { tools: { problems: { code: string }[] }[] }[] }>(
        '/diagnostics/skills',
      );
      expect(ailing.items[0]?.tools[0]?.problems).toContainEqual({ code: reason });
      const preview = await ask<{ tools: object[] }>('POST', `/skills/${agent.skillId}/preview`, {});
      expect(preview.tools).toEqual([]);
      expect(refusal(await command('get_tool', { name: 'readAccount' }))).toBe('404 not_found');
      const listed = (await get<Listed>('/tools?name=readAccount')).items;
      expect(listed).toMatchObject([{ active: true, endpointActive: false }]);
      expect((await get<Listed>(`/skills/${agent.skillId}/tools`)).items).toHaveLength(names.length);
      expect(await get(`${path()}/impact`)).toEqual({ tools: [], skills: [], agents: [], workflows: [] });

      expect(await ask('POST', `${path()}/activate`)).toMatchObject({ changed: true, conflicts: [] });
      expect((await catalog()).catalogHash).toBe(before.catalogHash);
      expect([(await found()).length > 0, await graph('Tool')]).toEqual([
        true,
        expect.arrayContaining(names),
      ]);
    });

    it('is off for the gateways that list its tools, and no finding of theirs brings it back', async () => {
      gateway.tools = [{ name: 'readAccount', inputSchema: { type: 'object' } }];
      await ask('POST', `${path()}/deactivate`);
      const { items } = await get<Listed>(`/gateways/${gatewayId}/drift`);
      expect(items).toMatchObject([{ toolName: 'readAccount', finding: 'inactive_in_catalog' }]);
      const findings = [{ toolName: 'readAccount', finding: 'inactive_in_catalog' }];
      expect(refusal(await call<Problem>('POST', `/gateways/${gatewayId}/drift/accept`, { findings }))).toBe(
        '409 api_version_inactive',
      );
      await ask('POST', `${path()}/activate`);
    });

    it('takes a document in meanwhile, says so, and publishes none of it', async () => {
      const apiId = subject === 'an API' ? 'meanwhile-api' : 'meanwhile';
      const body = another(apiId, 'accounts', `${apiId}-one`);
      const { apiVersionId: id } = await ask<{ apiVersionId: string }>('POST', '/imports', body);
      const place = subject === 'an API' ? `/apis/${apiId}` : `/api-versions/${id}`;
      await ask('POST', `${place}/deactivate`);
      const more = another(apiId, 'accounts', `${apiId}-one`, `${apiId}-two`);
      const report = await ask<{ warnings: object[] }>('POST', '/imports', more);
      expect(report).toMatchObject({ added: 1, published: 0 });
      expect(report.warnings).toMatchObject([{ code: 'api_version_inactive', pointer: '' }]);
      const filter = { filter: { apiId } };
      const refused = await ask<{ conflicts: Problem[] }>('POST', '/tools/publish', filter);
      expect(refused).toMatchObject({ published: 0, unchanged: 0 });
      expect(refused.conflicts.map(({ code }) => code)).toEqual(['endpoint_inactive', 'endpoint_inactive']);
      await ask('POST', `${place}/activate`);
      expect(await ask('POST', '/tools/publish', filter)).toMatchObject({ published: 1, unchanged: 1 });
    });

    it('gives its names free; a tool that finds another under its name stays out, and the answer says so', async () => {
      const [apiId, name] = subject === 'an API' ? ['second', 'listReadings'] : ['first', 'listBills'];
      expect(Object.keys(agent.toolIds)).toContain(name);
      await ask('POST', `${path()}/deactivate`);
      const taken = await ask<{ published: number }>('POST', '/imports', another(apiId, 'accounts', name));
      expect(taken.published).toBe(1);
      const back = await ask<Switched>('POST', `${path()}/activate`);
      expect(back.conflicts).toMatchObject([{ name, code: 'tool_name_taken' }]);
      const toolId = agent.toolIds[name] ?? '';
      expect(await get(`/tools/${toolId}`)).toMatchObject({ active: false, endpointActive: true });
      expect(refusal(await call<Problem>('POST', `/tools/${toolId}/activate`))).toBe('409 tool_name_taken');
      await ask('POST', `/apis/${apiId}/deactivate`);
      await ask('POST', `/tools/${toolId}/activate`);
      expect(toolsOf(await catalog())).toContain(name);
    });
  });

  it('an API is switched by whoever covers all its versions', async () => {
    const body = { apiVersion: '2', apiType: 'openapi', serviceId: 'elsewhere', envTag: 'dev' };
    await ask('POST', '/apis/account/versions', body);
    const token = await server().token({ sid: 'accounts', scope: 'catalog:write' });
    for (const verb of ['deactivate', 'activate']) {
      expect(refusal(await call<Problem>('POST', `/apis/account/${verb}`, undefined, token))).toBe(
        '403 api_not_covered',
      );
      expect(refusal(await call<Problem>('POST', `/apis/nowhere/${verb}`))).toBe('404 not_found');
      expect(refusal(await call<Problem>('POST', `/api-versions/${v7()}/${verb}`))).toBe('404 not_found');
    }
    expect((await call('POST', `/api-versions/${apiVersionId}/activate`, undefined, token)).status).toBe(200);
    const other = await server().token({ sid: 'elsewhere', scope: 'catalog:write' });
    const hidden = await call<Problem>('POST', `/api-versions/${apiVersionId}/deactivate`, undefined, other);
    expect(refusal(hidden)).toBe('404 not_found');
  });

  it('lists show what is off on demand', async () => {
    await ask('POST', `/api-versions/${apiVersionId}/deactivate`);
    const ids = async (path: string, member: string) =>
      (await get<Listed>(path)).items.map((item) => item[member]);
    expect(await ids('/api-versions', 'apiVersionId')).not.toContain(apiVersionId);
    expect(await ids('/api-versions?active=false', 'apiVersionId')).toContain(apiVersionId);
    await ask('POST', '/apis/account/deactivate');
    expect(await ids('/apis', 'apiId')).not.toContain('account');
    expect(await ids('/apis?active=all', 'apiId')).toContain('account');
    // A version that is off stays off when its API comes back.
    await ask('POST', '/apis/account/activate');
    expect(reasonsOf(await catalog('&withheld=true'))).toEqual(['api_version_inactive']);
  });

  it('the log alone makes the same rows', async () => {
    const beside = new RebuiltBeside(server);
    await beside.make();
    const live = server().app.get<Database>(DATABASE);
    for (const table of ['api_t', 'api_version_t', 'agent_definition_t', 'tool_t', 'tool_name_t']) {
      const rows = (database: Database) =>
        database.of(hostId).query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY to_jsonb(t)::text`);
      expect([table, await rows(beside.database)]).toEqual([table, await rows(live)]);
    }
  });
}, usual);
