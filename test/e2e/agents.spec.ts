import { eachServer, type Server } from './server.js';

interface Receipt {
  readonly id: string;
  readonly version: number;
  readonly changed: boolean;
}
interface Problem {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}
interface Listed {
  readonly items: readonly Record<string, unknown>[];
}

const nowhere = '0198c0de-0000-7000-8000-00000000ffff';
let count = 0;
const fresh = (word: string): string => `${word}-${String((count += 1))}`;

async function made(server: Server, method: string, path: string, body: unknown): Promise<string> {
  const answer = await server.api<Receipt>(method, path, { body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body.id;
}

/** An API version of type agent, without a profile yet. */
async function agentVersion(server: Server, serviceId = 'accounts', apiType = 'agent'): Promise<string> {
  const apiId = fresh('agent');
  await made(server, 'POST', '/apis', { apiId, apiName: `The ${apiId}` });
  return made(server, 'POST', `/apis/${apiId}/versions`, {
    apiVersion: '1',
    apiType,
    serviceId,
    envTag: 'dev',
  });
}

async function agent(server: Server, serviceId?: string): Promise<string> {
  const agentDefId = await agentVersion(server, serviceId);
  await made(server, 'PUT', `/agents/${agentDefId}`, {});
  return agentDefId;
}

async function skillWithTool(server: Server): Promise<{ skillId: string; toolId: string }> {
  const name = fresh('skill');
  const skillId = await made(server, 'POST', '/skills', { name, contentMarkdown: 'Do.' });
  const tool = {
    name,
    description: 'A tool.',
    implementationType: 'python',
    inputSchema: { type: 'object' },
  };
  const toolId = await made(server, 'POST', '/tools', tool);
  await made(server, 'PUT', `/skills/${skillId}/tools/${toolId}`, {});
  return { skillId, toolId };
}

eachServer((server) => {
  it('refuses gateways that are not there, each with its place', async () => {
    const agentDefId = await agentVersion(server());
    const gateway = { serviceId: fresh('gate'), envTag: 'dev', url: 'https://gateway.test/mcp' };
    const gatewayId = '0198c0de-0000-7000-8000-00000000aaaa';
    expect((await server().api('PUT', `/gateways/${gatewayId}`, { body: gateway })).status).toBe(201);
    const put = (gatewayIds: readonly string[]) =>
      server().api<Problem>('PUT', `/agents/${agentDefId}`, { body: { gatewayIds } });
    const refused = await put([gatewayId, nowhere]);
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.objectContaining({
        code: 'invalid_body',
        errors: [{ pointer: '/gatewayIds/1', detail: `There is no gateway ${nowhere}.` }],
      }),
    ]);
    expect((await put([gatewayId])).status).toBe(201);
    // Where a gateway is active, agents are given only what one exposes.
    expect((await server().api('POST', `/gateways/${gatewayId}/deactivate`)).status).toBe(200);
  });

  it('writes the profile of an agent: 201 first, 200 after', async () => {
    const agentDefId = await agentVersion(server());
    const path = `/agents/${agentDefId}`;
    expect((await server().api('GET', path)).status).toBe(404);
    const body = { modelProvider: 'openai', personas: ['account-agent'], domains: ['finance'] };
    const first = await server().api<Receipt>('PUT', path, { body });
    expect([first.status, first.body]).toMatchObject([201, { id: agentDefId, version: 1, changed: true }]);
    const second = await server().api<Receipt>('PUT', path, { body });
    expect([second.status, second.body]).toMatchObject([200, { version: 1, changed: false }]);
    const read = await server().api('GET', path);
    expect(read.headers.get('etag')).toBe('"1"');
    expect(read.body).toMatchObject({
      ...{ agentDefId, serviceId: 'accounts', envTag: 'dev', ...body, modelName: null },
      ...{ maxSensitivityTier: 'internal', gatewayIds: [], semanticNamespaces: [], active: true },
    });
    expect(read.body['name']).toMatch(/^The agent-/);
    const other = await agentVersion(server(), 'accounts', 'openapi');
    const wrong = await server().api<Problem>('PUT', `/agents/${other}`, { body: {} });
    expect([wrong.status, wrong.body.code]).toEqual([409, 'not_an_agent']);
    expect((await server().api('PUT', `/agents/${nowhere}`, { body: {} })).status).toBe(404);
  });

  it('asks catalog:admin to raise the tier', async () => {
    const agentDefId = await agent(server());
    const token = await server().token({ scope: 'catalog:write', sid: 'accounts' });
    const put = (maxSensitivityTier: string, as?: string) =>
      server().api('PUT', `/agents/${agentDefId}`, {
        body: { maxSensitivityTier },
        ...(as !== undefined && { token: as }),
      });
    expect((await put('restricted', token)).status).toBe(403);
    expect((await put('restricted')).status).toBe(200);
    expect((await put('public', token)).status).toBe(200);
  });

  it('assigns several skills at once, all or none, and says beforehand what would fail', async () => {
    const agentDefId = await agent(server());
    const [a, b] = [await skillWithTool(server()), await skillWithTool(server())];
    const bare = await made(server(), 'POST', '/skills', { name: fresh('bare'), contentMarkdown: 'Do.' });
    const path = `/agents/${agentDefId}/skills`;
    const skills = [{ skillId: a.skillId, priority: 5 }, { skillId: bare }, { skillId: nowhere }];
    const check = await server().api<Listed>('POST', `${path}/validate`, { body: { skills } });
    expect([check.status, check.body.items]).toMatchObject([
      200,
      [
        { ok: true, problems: [] },
        { ok: false, problems: [{ code: 'skill_without_active_tool' }] },
        { ok: false, problems: [{ code: 'skill_not_found' }] },
      ],
    ]);
    const refused = await server().api<Problem>('POST', path, { body: { skills } });
    expect([refused.status, refused.body.code]).toEqual([409, 'skill_without_active_tool']);
    expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/skills/1', '/skills/2']);
    expect((await server().api<Listed>('GET', path)).body.items).toEqual([]);
    const both = {
      skills: [
        { skillId: a.skillId, priority: 5 },
        { skillId: b.skillId, config: { domains: ['finance'] } },
      ],
    };
    const done = await server().api<Listed>('POST', path, { body: both });
    expect([done.status, done.body.items]).toMatchObject([
      201,
      [
        { skillId: a.skillId, version: 1 },
        { skillId: b.skillId, version: 1 },
      ],
    ]);
    const again = await server().api<Listed>('POST', path, { body: both });
    expect([again.status, again.body.items]).toMatchObject([
      201,
      [
        { skillId: a.skillId, version: 1, changed: false },
        { skillId: b.skillId, version: 1, changed: false },
      ],
    ]);
    const other = { skills: [both.skills[0], { skillId: b.skillId, priority: 9 }] };
    const otherwise = await server().api<Problem>('POST', path, { body: other });
    expect([otherwise.status, otherwise.body.code]).toEqual([409, 'already_assigned']);
    expect(otherwise.body.errors).toMatchObject([{ pointer: '/skills/1' }]);
    const matched = await server().api('POST', path, { body: both, headers: { 'if-match': '"1"' } });
    expect(matched.status).toBe(400);
    const replaced = await server().api<Listed>('PUT', path, {
      body: { skills: [{ skillId: b.skillId, config: { domains: ['finance'] } }] },
    });
    expect([replaced.status, replaced.body.items]).toMatchObject([
      200,
      [
        { skillId: a.skillId, changed: true },
        { skillId: b.skillId, changed: false },
      ],
    ]);
    const emptied = await server().api<{ position: number }>('PUT', path, { body: { skills: [] } });
    const still = await server().api<{ items: unknown[]; position: number }>('PUT', path, {
      body: { skills: [] },
    });
    expect(still.body).toEqual({ items: [], position: emptied.body.position });
    const unneeded = await server().api('POST', `${path}/validate`, {
      body: { skills: [{ skillId: a.skillId }] },
      headers: { 'if-match': '"7"' },
    });
    expect(unneeded.status).toBe(200);
    const twice = await server().api<Problem>('PUT', path, {
      body: { skills: [{ skillId: a.skillId }, { skillId: a.skillId }] },
    });
    expect([twice.status, twice.body.errors?.[0]?.pointer]).toEqual([400, '/skills/1/skillId']);
  });

  it('keeps an assignment one by one', async () => {
    const agentDefId = await agent(server());
    const { skillId, toolId } = await skillWithTool(server());
    const path = `/agents/${agentDefId}/skills/${skillId}`;
    expect((await server().api('PATCH', path, { body: { priority: 1 } })).status).toBe(404);
    expect((await server().api('PUT', path, { body: {} })).status).toBe(201);
    expect((await server().api('PUT', path, { body: { sequenceId: 2 } })).status).toBe(200);
    const changed = await server().api('PATCH', path, {
      body: { priority: 1 },
      headers: { 'if-match': '"2"' },
    });
    expect([changed.status, changed.body]).toMatchObject([200, { version: 3 }]);
    expect((await server().api('GET', path)).body).toMatchObject({
      priority: 1,
      sequenceId: 2,
      config: {},
      active: true,
    });
    await server().api('POST', `/tools/${toolId}/deactivate`);
    expect((await server().api('GET', path)).body).toMatchObject({ active: true, skillHasActiveTool: false });
    const refused = await server().api<Problem>('PATCH', path, { body: { priority: 9 } });
    expect([refused.status, refused.body.code]).toEqual([409, 'skill_without_active_tool']);
    expect((await server().api('DELETE', path)).status).toBe(200);
    expect((await server().api('DELETE', path)).status).toBe(404);
    expect((await server().api('PUT', path, { body: {} })).status).toBe(409);
    expect((await server().api('GET', path)).status).toBe(404);
  });

  it('says whom a deactivation would hit, and has hit', async () => {
    const agentDefId = await agent(server());
    const { skillId, toolId } = await skillWithTool(server());
    await server().api('POST', `/agents/${agentDefId}/skills`, { body: { skills: [{ skillId }] } });
    const impact = await server().api(`GET`, `/tools/${toolId}/impact`);
    expect([impact.status, impact.body]).toMatchObject([
      200,
      { tools: [{ toolId }], skills: [{ skillId, effect: 'no_tools' }], agents: [{ agentDefId }] },
    ]);
    const ofSkill = await server().api('GET', `/skills/${skillId}/impact`);
    expect(ofSkill.body).toMatchObject({
      tools: [],
      skills: [{ effect: 'inactive' }],
      agents: [{ agentDefId }],
    });
    for (const noun of ['tools', 'skills', 'endpoints']) {
      expect((await server().api('GET', `/${noun}/${nowhere}/impact`)).status).toBe(404);
    }
    const done = await server().api('POST', `/tools/${toolId}/deactivate`);
    expect(done.body).toMatchObject({ changed: true, active: false, impact: impact.body });
    const again = await server().api('POST', `/tools/${toolId}/deactivate`);
    expect(again.body).toMatchObject({ changed: false, impact: { tools: [], skills: [], agents: [] } });
    const skill = await server().api('POST', `/skills/${skillId}/deactivate`);
    expect(skill.body).toMatchObject({ impact: { skills: [{ skillId }], agents: [{ agentDefId }] } });
  });

  it('previews a skill, alone and as an agent is given it', async () => {
    const agentDefId = await agent(server());
    const { skillId, toolId } = await skillWithTool(server());
    const hidden = await made(server(), 'POST', '/tools', {
      ...{
        name: fresh('hidden'),
        description: 'Reads the balance of an account.',
        implementationType: 'python',
      },
      ...{ inputSchema: { type: 'object' }, routing: { sensitivityTier: 'restricted' } },
    });
    expect((await server().api('PUT', `/skills/${skillId}/tools/${hidden}`, { body: {} })).status).toBe(201);
    const path = `/skills/${skillId}/preview`;
    interface Preview {
      readonly given: boolean;
      readonly prompt: string;
      readonly tools: readonly { readonly toolId: string; readonly matched: readonly string[] }[];
      readonly findings: readonly { readonly code: string }[];
    }
    const alone = await server().api<Preview>('POST', path, { body: { prompt: 'Which balance?' } });
    expect([alone.status, alone.body]).toMatchObject([
      200,
      { given: true, tools: [{ toolId: hidden }, { toolId }] },
    ]);
    expect(alone.body.tools[0]?.matched).toEqual(['balance']);
    expect(alone.body.findings.map(({ code }) => code)).toContain('description_missing');
    const before = await server().api<Preview>('POST', path, { body: { agentDefId } });
    expect(before.body).toMatchObject({ given: false, prompt: '', tools: [] });
    await server().api('POST', `/agents/${agentDefId}/skills`, { body: { skills: [{ skillId }] } });
    const given = await server().api<Preview>('POST', path, { body: { agentDefId } });
    expect(given.body).toMatchObject({ given: true, tools: [{ toolId }] });
    expect(given.text).not.toContain(hidden);
    const low = await server().token({
      scope: 'catalog:read',
      sid: 'accounts',
      maxSensitivityTier: 'internal',
    });
    expect((await server().api('POST', path, { token: low, body: {} })).text).not.toContain(hidden);
    const stranger = await server().token({ scope: 'catalog:read', sid: 'payments' });
    const elsewhere = await server().api('POST', path, { token: stranger, body: { agentDefId } });
    expect(elsewhere.status).toBe(404);
    expect((await server().api('POST', `/skills/${nowhere}/preview`, { body: {} })).status).toBe(404);
  });

  it('hides agents of other services and environments, and keeps a narrowed token to its own', async () => {
    const own = await agent(server());
    const other = await agent(server(), 'payments');
    const { skillId } = await skillWithTool(server());
    const scope = 'catalog:read catalog:write';
    const token = await server().token({ scope, sid: 'accounts' });
    const list = await server().api<Listed>('GET', '/agents?limit=500', { token });
    expect(list.body.items.every((item) => item['serviceId'] === 'accounts')).toBe(true);
    const denied: readonly (readonly [string, string, unknown?])[] = [
      ['GET', `/agents/${other}`],
      ['PUT', `/agents/${other}`, {}],
      ['GET', `/agents/${other}/skills`],
      ['POST', `/agents/${other}/skills`, { skills: [{ skillId }] }],
      ['PUT', `/agents/${other}/skills`, { skills: [] }],
      ['POST', `/agents/${other}/skills/validate`, { skills: [{ skillId }] }],
      ['PUT', `/agents/${other}/skills/${skillId}`, {}],
      ['PATCH', `/agents/${other}/skills/${skillId}`, {}],
      ['DELETE', `/agents/${other}/skills/${skillId}`],
    ];
    const elsewhere = await server().token({ scope, sid: 'payments', env: 'prod' });
    for (const [method, path, body] of denied) {
      for (const as of [token, elsewhere]) {
        const answer = await server().api(method, path, { token: as, ...(body !== undefined && { body }) });
        expect([method, path, answer.status]).toEqual([method, path, 404]);
      }
    }
    const narrowed = await server().token({ scope, sid: 'accounts', agent_def_id: own });
    expect((await server().api('GET', `/agents/${own}`, { token: narrowed })).status).toBe(200);
    expect((await server().api('GET', `/agents/${other}`, { token: narrowed })).status).toBe(403);
    const mine = await server().api<Listed>('GET', '/agents', { token: narrowed });
    expect(mine.body.items.map((item) => item['agentDefId'])).toEqual([own]);
    expect((await server().api('GET', `/skills/${skillId}`, { token: narrowed })).status).toBe(404);
    expect((await server().api<Listed>('GET', '/skills', { token: narrowed })).body.items).toEqual([]);
    await server().api('POST', `/agents/${own}/skills`, { body: { skills: [{ skillId }] } });
    expect((await server().api('GET', `/skills/${skillId}`, { token: narrowed })).status).toBe(200);
    expect(
      (await server().api<Listed>('GET', `/skills/${skillId}/tools`, { token: narrowed })).body.items,
    ).toHaveLength(1);
  });
});
