import { v7 } from 'uuid';
import { ScriptedGateway } from './gateway-servers.js';
import { eachServer, type Server } from './server.js';

interface Problem {
  readonly code: string;
  readonly gatewayId?: string;
}
interface Ailing {
  readonly items: readonly {
    readonly skillId: string;
    readonly tools: readonly { readonly toolName: string; readonly problems: readonly Problem[] }[];
    readonly agents: readonly { readonly agentDefId: string }[];
  }[];
}
interface AgentReport {
  readonly total: number;
  readonly gateways: readonly { readonly gatewayId: string; readonly failure?: string }[];
  readonly items: readonly { readonly toolName: string; readonly problems: readonly Problem[] }[];
}

let count = 0;
const fresh = (word: string): string => `${word}_${String((count += 1))}`;
const names = ['kept', 'dropped', 'off'] as const;

/** A gateway with three tools, all of them in the one skill of an agent of the same environment. */
async function world(server: Server, gateway: ScriptedGateway, envTag: string) {
  const tools = names.map((name) => ({ name: fresh(name), inputSchema: { type: 'object' } }));
  gateway.tools = tools;
  const gatewayId = v7();
  const token = await server.token({ env: envTag });
  const api = <Body>(method: string, path: string, body?: unknown) =>
    server.api<Body>(method, path, { token, body });
  const act = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await api<{ id: string }>(method, path, body);
    expect([path, answer.status, answer.text]).toEqual([path, expect.any(Number), expect.any(String)]);
    expect(answer.status).toBeLessThan(300);
    return answer.body.id;
  };
  const profile = { serviceId: fresh('gateway'), envTag, url: gateway.url };
  await act('PUT', `/gateways/${gatewayId}`, profile);
  const findings = tools.map(({ name }) => ({ toolName: name, finding: 'not_in_catalog' }));
  const accepted = await api<{ items: readonly { toolId: string }[] }>(
    'POST',
    `/gateways/${gatewayId}/drift/accept`,
    { findings },
  );
  const toolIds = accepted.body.items.map(({ toolId }) => toolId);
  const skillId = await act('POST', '/skills', { name: fresh('skill'), contentMarkdown: 'Do.' });
  for (const toolId of toolIds) await act('PUT', `/skills/${skillId}/tools/${toolId}`, {});
  const apiId = fresh('agent');
  await act('POST', '/apis', { apiId, apiName: apiId });
  const version = { apiVersion: '1', apiType: 'agent', serviceId: 'agents', envTag };
  const agentDefId = await act('POST', `/apis/${apiId}/versions`, version);
  await act('PUT', `/agents/${agentDefId}`, {});
  await api('POST', `/agents/${agentDefId}/skills`, { skills: [{ skillId }] });
  return { gatewayId, skillId, agentDefId, toolIds, tools, api, act };
}

eachServer((server) => {
  let gateway: ScriptedGateway;
  beforeAll(async () => {
    gateway = await ScriptedGateway.start();
  });
  afterAll(() => gateway.stop());

  it('tells which tools can’t be called, why, and whom it hits', async () => {
    const { gatewayId, skillId, agentDefId, toolIds, tools, api, act } = await world(
      server(),
      gateway,
      'diag',
    );
    const ailing = () => api<Ailing>('GET', '/diagnostics/skills');
    const report = () => api<AgentReport>('GET', `/diagnostics/agents/${agentDefId}`);
    expect((await ailing()).body.items).toEqual([]);
    expect((await report()).body).toMatchObject({ total: 3, items: [], gateways: [{ gatewayId }] });

    const [kept, dropped, off] = tools.map(({ name }) => name);
    gateway.tools = tools.filter(({ name }) => name !== dropped);
    await act('POST', `/tools/${String(toolIds[2])}/deactivate`);
    // What the gateway lists now is known of it once it was checked.
    expect((await ailing()).body.items).toMatchObject([
      {
        skillId,
        tools: [{ toolName: off, problems: [{ code: 'tool_inactive' }] }],
        agents: [{ agentDefId }],
      },
    ]);
    await act('POST', `/gateways/${gatewayId}/drift/check`);
    expect((await ailing()).body.items[0]?.tools).toEqual([
      expect.objectContaining({
        toolName: dropped,
        problems: [{ code: 'missing_from_gateway', gatewayId }],
      }),
      expect.objectContaining({ toolName: off, problems: [{ code: 'tool_inactive' }] }),
    ]);
    expect((await report()).body).toMatchObject({
      total: 2,
      items: [
        { toolName: dropped, problems: [{ code: 'missing_from_gateway', gatewayId }] },
        { toolName: off, withheld: true, problems: [{ code: 'tool_inactive' }] },
      ],
    });
    const round = await api<Ailing>('GET', '/diagnostics/gateways?envTag=diag');
    expect(round.body.items).toMatchObject([
      {
        ...{ gatewayId, inSync: 1 },
        items: [
          { toolName: dropped, finding: 'missing_from_gateway' },
          { toolName: off, finding: 'inactive_in_catalog' },
        ],
      },
    ]);

    gateway.answering = (_, response) => response.writeHead(503).end();
    expect((await report()).body).toMatchObject({
      gateways: [{ gatewayId, failure: 'gateway_error' }],
      items: [
        { toolName: dropped, problems: [{ code: 'gateway_error', gatewayId }] },
        { toolName: kept, problems: [{ code: 'gateway_error', gatewayId }] },
        { toolName: off, withheld: true },
      ],
    });
    gateway.answering = undefined;
    await api('PUT', `/gateways/${gatewayId}/exposures`, { tools: [] });
    const left = (await ailing()).body.items[0]?.tools ?? [];
    expect(left.map(({ toolName, problems }) => [toolName, problems.map(({ code }) => code)])).toEqual([
      [dropped, ['not_exposed']],
      [kept, ['not_exposed']],
      [off, ['not_exposed', 'tool_inactive']],
    ]);
  });

  it('tells of one skill alone, off or not, whatever was dismissed of its tools', async () => {
    const { gatewayId, skillId, toolIds, tools, api, act } = await world(server(), gateway, 'alone');
    const other = await act('POST', '/skills', { name: fresh('skill'), contentMarkdown: 'Do.' });
    await act('PUT', `/skills/${other}/tools/${String(toolIds[2])}`, {});
    const dropped = tools[1]?.name;
    gateway.tools = tools.filter(({ name }) => name !== dropped);
    const findings = [{ toolName: dropped, finding: 'missing_from_gateway' }];
    await act('POST', `/gateways/${gatewayId}/drift/dismiss`, { findings, reason: 'It comes back.' });
    await act('POST', `/tools/${String(toolIds[2])}/deactivate`);
    await act('POST', `/skills/${skillId}/deactivate`);
    const ailing = async (id: string) => (await api<Ailing>('GET', `/diagnostics/skills?skillId=${id}`)).body;
    const missing = { toolName: dropped, problems: [{ code: 'missing_from_gateway', gatewayId }] };
    const off = { toolName: tools[2]?.name, problems: [{ code: 'tool_inactive' }] };
    expect(await ailing(skillId)).toMatchObject({ items: [{ skillId, tools: [missing, off] }] });
    expect(await ailing(other)).toMatchObject({ items: [{ skillId: other, tools: [off] }] });
    expect(await ailing(v7())).toEqual({ items: [] });
  });

  it('tells of skills whose tools are retired', async () => {
    const { skillId, toolIds, tools, api, act } = await world(server(), gateway, 'retired');
    await act('PATCH', `/tools/${String(toolIds[0])}`, { lifecycleStatus: 'retired' });
    expect((await api<Ailing>('GET', '/diagnostics/skills')).body.items).toMatchObject([
      { skillId, tools: [{ toolName: tools[0]?.name, problems: [{ code: 'lifecycle_retired' }] }] },
    ]);
  });

  it('is for administrators, of their services and environments', async () => {
    const { skillId } = await world(server(), gateway, 'diag2');
    for (const [claims, status] of [
      [{ scope: 'catalog:read', sid: 'agents', env: 'diag2' }, 403],
      [{ env: 'diag2', maxSensitivityTier: 'public' }, 403],
      [{ env: 'diag2', agent_def_id: v7() }, 403],
    ] as const) {
      const token = await server().token(claims);
      for (const path of ['/diagnostics/skills', '/diagnostics/gateways?envTag=diag2']) {
        expect([path, (await server().api('GET', path, { token })).status]).toEqual([path, status]);
      }
    }
    const foreign = await server().token({ env: 'elsewhere' });
    const skills = await server().api<Ailing>('GET', '/diagnostics/skills', { token: foreign });
    expect(skills.body.items.filter((item) => item.skillId === skillId)).toEqual([]);
    const named = await server().api('GET', '/diagnostics/gateways?envTag=diag2', { token: foreign });
    expect(named.status).toBe(403);
  });
});
