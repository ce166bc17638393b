/** What an operator of one service is told of a gateway that carries tools of others, and what of theirs stays. */
import { v7 } from 'uuid';
import { ScriptedGateway } from './gateway-servers.js';
import { eachServer, type Server } from './server.js';

interface Finding {
  readonly toolName: string;
  readonly finding: string;
}
interface Found {
  readonly findings: readonly Finding[];
}
interface Report {
  readonly total: number;
  readonly items: readonly {
    readonly toolName: string;
    readonly withheld?: boolean;
    readonly problems: readonly { readonly code: string; readonly gatewayId?: string }[];
  }[];
}

let count = 0;
const fresh = (word: string): string => `${word}_${String((count += 1))}`;
const listed = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
});

/** Two services with a tool each, a gateway of the first that exposes both, and an agent that has both. */
async function world(server: Server) {
  const [own, other] = [fresh('own'), fresh('other')];
  const api = async <Body = { id: string }>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await server.api<Body>(method, path, { body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
    return answer.body;
  };
  const toolOf = async (serviceId: string): Promise<string> => {
    const version = { apiVersion: '1', apiType: 'mcp', serviceId, envTag: 'dev' };
    const document = { tools: [listed(serviceId)] };
    await api('POST', '/imports', { api: { apiId: serviceId }, version, document, publish: true });
    const { items } = await api<{ items: { toolId: string }[] }>('GET', `/tools?name=${serviceId}`);
    return String(items[0]?.toolId);
  };
  const toolIds = [await toolOf(own), await toolOf(other)];
  const gatewayOf = async (serviceId: string, url: string, exposed: readonly string[]): Promise<string> => {
    const id = v7();
    await api('PUT', `/gateways/${id}`, { serviceId, envTag: 'dev', url });
    await api('PUT', `/gateways/${id}/exposures`, { tools: exposed.map((toolId) => ({ toolId })) });
    return id;
  };
  const { id: skillId } = await api('POST', '/skills', { name: fresh('skill'), contentMarkdown: 'Do.' });
  for (const toolId of toolIds) await api('PUT', `/skills/${skillId}/tools/${toolId}`, {});
  const agent = fresh('agent');
  await api('POST', '/apis', { apiId: agent, apiName: agent });
  const version = { apiVersion: '1', apiType: 'agent', serviceId: own, envTag: 'dev' };
  const { id: agentDefId } = await api('POST', `/apis/${agent}/versions`, version);
  const profile = (gateways: readonly string[]) =>
    api('PUT', `/agents/${agentDefId}`, { gatewayIds: gateways });
  await api('PUT', `/agents/${agentDefId}`, {});
  await api('POST', `/agents/${agentDefId}/skills`, { skills: [{ skillId }] });
  const token = await server.token({ sid: own, scope: 'catalog:read catalog:write catalog:admin' });
  const narrow = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await server.api<Body>(method, path, { token, body });
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
    return answer.body;
  };
  const report = () => narrow<Report>('GET', `/diagnostics/agents/${agentDefId}`);
  return { own, other, toolIds, skillId, agentDefId, api, narrow, report, gatewayOf, profile };
}

eachServer((server) => {
  let gateway: ScriptedGateway;
  beforeAll(async () => {
    gateway = await ScriptedGateway.start();
  });
  afterAll(() => gateway.stop());

  it('says of an agent’s tools what holds, whatever service they are of', async () => {
    const { own, other, toolIds, gatewayOf, profile, report } = await world(server());
    const id = await gatewayOf(own, gateway.url, toolIds);
    await profile([id]);
    gateway.tools = [listed(own), listed(other)];
    expect(await report()).toMatchObject({ total: 2, items: [] });
    gateway.tools = [listed(own)];
    expect(await report()).toMatchObject({
      items: [{ toolName: other, problems: [{ code: 'missing_from_gateway', gatewayId: id }] }],
    });
  });

  it('does not call a tool unexposed that a gateway of another service exposes', async () => {
    const { own, other, toolIds, skillId, gatewayOf, profile, report, narrow } = await world(server());
    const [ownTool = '', otherTool = ''] = toolIds;
    const near = await gatewayOf(own, gateway.url, [ownTool]);
    const far = await gatewayOf(other, gateway.url, [ownTool, otherTool]);
    await profile([near, far]);
    gateway.tools = [];
    expect((await report()).items).toEqual(
      expect.arrayContaining([
        {
          toolId: ownTool,
          toolName: own,
          problems: [{ code: 'missing_from_gateway', gatewayId: near }, { code: 'gateway_not_asked' }],
        },
        { toolId: otherTool, toolName: other, problems: [{ code: 'gateway_not_asked' }] },
      ]),
    );
    const { items } = await narrow<{ items: { skillId: string }[] }>('GET', '/diagnostics/skills');
    expect(items.filter((item) => item.skillId === skillId)).toEqual([]);
  });

  it('tells what the catalog withholds from the agent, with the reason', async () => {
    const { own, other, toolIds, gatewayOf, profile, report, api } = await world(server());
    await profile([await gatewayOf(own, gateway.url, toolIds)]);
    gateway.tools = [listed(own), listed(other)];
    await api('POST', `/tools/${String(toolIds[1])}/deactivate`);
    expect(await report()).toMatchObject({
      total: 1,
      items: [{ toolName: other, withheld: true, problems: [{ code: 'tool_inactive' }] }],
    });
  });

  it('keeps what was found of others when an operator accepts, and shows each only their own', async () => {
    const { own, other, toolIds, gatewayOf, narrow, api } = await world(server());
    const id = await gatewayOf(own, gateway.url, toolIds);
    gateway.tools = [];
    await api('POST', `/gateways/${id}/drift/check`);
    const findings = [{ toolName: own, finding: 'missing_from_gateway' }];
    const names = (found: Found | undefined) => found?.findings.map(({ toolName }) => toolName);
    const last = async (read: typeof api): Promise<Found | undefined> =>
      (await read<{ items: Found[] }>('GET', `/gateways/${id}/drift/history`)).items.at(-1);
    expect(names(await narrow<Found>('POST', `/gateways/${id}/drift/check`))).toEqual([own]);
    expect(names(await last(api))).toEqual([other, own].sort());
    expect(names(await last(narrow))).toEqual([own]);
    const home = async (read: typeof api): Promise<readonly string[] | undefined> =>
      (
        await read<{ waiting: { gateways: { items: { gatewayId: string; toolNames: string[] }[] } } }>(
          ...(['GET', '/diagnostics/overview'] as const),
        )
      ).waiting.gateways.items.find(({ gatewayId }) => gatewayId === id)?.toolNames;
    expect(await home(narrow)).toEqual([own]);
    await narrow('POST', `/gateways/${id}/drift/accept`, { findings });
    expect(names(await last(api))).toEqual([other]);
    expect(names(await last(narrow))).toEqual([]);
    expect(await home(narrow)).toBeUndefined();
  });
});
