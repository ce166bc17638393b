import fc from 'fast-check';
import { v7 } from 'uuid';
import { portalActions } from '../../src/portal-rpc/portal-action.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { doors, type Try } from './door-tries.js';
import { doorsWorld } from './doors-world.js';
import { actedNames, asAction } from './routes-as-commands.js';
import { eachServer, hostId, type ApiAnswer, type ApiCall } from './server.js';
import { many } from '../soak.js';

type Values = Readonly<Record<string, unknown>>;

const anyId = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

eachServer((server) => {
  let agent: AccountAgent;
  let second: string;
  beforeAll(async () => {
    const { api, token } = { api: server().api.bind(server()), token: await server().token() };
    const send = async (
      method: string,
      path: string,
      _token: string,
      more: { readonly body?: unknown } = {},
    ) => {
      const { status, headers, text } = await api(method, path, { token, ...more });
      return { status, headers, text };
    };
    agent = await makeAccountAgent({ send }, token);
    const made = await api<{ id: string }>('POST', '/skills', {
      body: { name: 'Second', contentMarkdown: 'Look.', description: 'Another.' },
    });
    second = made.body.id;
    await api('PUT', `/skills/${agent.skillId}/dependencies/${second}`, { body: { required: false } });
  });

  const toolId = (): string => agent.toolIds['searchAccounts'] ?? '';

  const rpc = (kind: 'query' | 'command', action: string, data: Values, call: ApiCall = {}) =>
    server().api('POST', `//portal/${kind}`, {
      ...call,
      body: { host: 'lightapi.net', service: 'genai', action, version: '0.1.0', data: { hostId, ...data } },
    });

  /** What an answer says, but for what belongs to a request alone. */
  const shown = ({ status, text, headers }: ApiAnswer) => [
    status,
    text.replaceAll(/"requestId":"[^"]*"/g, ''),
    headers.get('etag'),
  ];

  describe('the request of the reference system’s agent', () => {
    const request = () => ({
      host_id: hostId,
      agent_def_id: agent.agentDefId,
      service_id: 'accounts',
      env_tag: 'dev',
    });
    const ask = (more: Values = {}) =>
      server().api('POST', '//portal/query', {
        body: { action: 'getEffectiveAgentCatalog', data: { ...request(), ...more } },
      });

    test('is answered with skills and their tools, in its own names, and schemas as they are', async () => {
      const { status, body } = await ask();
      expect(status).toBe(200);
      const [skill] = body['skills'] as [Values & { tools: readonly Values[] }];
      expect(body).toMatchObject({ host_id: hostId, agent_def_id: agent.agentDefId, env_tag: 'dev' });
      expect(skill).toMatchObject({ skill_id: agent.skillId, content_markdown: expect.any(String) });
      const { body: twin } = await server().api('GET', agent.catalog);
      const [twinSkill] = twin['skills'] as [{ tools: readonly Values[] }];
      const schemas = ({ tools }: { tools: readonly Values[] }, name: string) =>
        tools.map((each) => each[name]);
      expect(schemas(skill, 'input_schema')).toEqual(schemas(twinSkill, 'inputSchema'));
      expect(JSON.stringify(body)).not.toContain('"toolId"');
    });

    test('is answered with one entry for each tool of each skill, where it asks for that', async () => {
      const { body } = await ask({ shape: 'flat' });
      const skills = body['skills'] as readonly Values[];
      const { body: nested } = await ask();
      const [{ tools }] = nested['skills'] as [{ tools: readonly object[] }];
      expect(skills).toHaveLength(tools.length);
      for (const entry of skills) {
        expect(Object.keys(entry)).toEqual(['skill_id', 'name', 'description', 'tool_name', 'input_schema']);
        expect(agent.toolIds).toHaveProperty([String(entry['tool_name'])]);
      }
      expect((await ask({ shape: 'round' })).text).toContain('/data/shape');
    });

    test('is answered with the bytes of the operation over HTTP, where it names members as that does', async () => {
      const data = { agentDefId: agent.agentDefId, serviceId: 'accounts', envTag: 'dev' };
      const twin = await server().api('GET', agent.catalog);
      expect(shown(await rpc('query', 'getEffectiveAgentCatalog', data))).toEqual(shown(twin));
    });

    test('is refused as over HTTP: no token, another host, another service, another agent', async () => {
      const claims = [
        { host: v7() },
        { sid: 'other', scope: 'catalog:agent' },
        { env: 'prod' },
        { agent_def_id: v7() },
      ];
      const tokens = ['', 'a.b.c', ...(await Promise.all(claims.map((claim) => server().token(claim))))];
      for (const token of tokens) {
        const data = { agentDefId: agent.agentDefId, serviceId: 'accounts', envTag: 'dev' };
        const twin = await server().api('GET', agent.catalog, { token });
        expect(twin.status).toBeGreaterThanOrEqual(401);
        const asked = await rpc('query', 'getEffectiveAgentCatalog', data, { token });
        expect({ status: asked.status, code: asked.body['code'] }).toEqual({
          status: twin.status,
          code: twin.body['code'],
        });
      }
    });
  });

  test('each query answers as the operation over HTTP does, whatever it names', async () => {
    const { skillId, agentDefId } = agent;
    const ids = { skillId: [skillId, second, v7()], toolId: [...Object.values(agent.toolIds), v7()] };
    const one = <T>(values: readonly T[]) => fc.constantFrom(...values);
    const maybe = <T>(values: readonly T[]) => fc.option(one(values), { nil: undefined });
    const skill = one(ids.skillId);
    const page = { limit: fc.option(fc.integer({ min: -1, max: 3 }), { nil: undefined }) };
    const asks: readonly (readonly [
      action: string,
      data: fc.Arbitrary<Values>,
      path: (data: Values) => string,
    ])[] = [
      [
        'Skill',
        fc.record({ skillId: maybe(ids.skillId), ...page }),
        ({ skillId: id }) => `/skills${below(id)}`,
      ],
      ['Tool', fc.record({ toolId: maybe(ids.toolId), ...page }), ({ toolId: id }) => `/tools${below(id)}`],
      [
        'AgentSkill',
        fc.record({ agentDefId: one([agentDefId, v7(), 'no id']), skillId: maybe(ids.skillId), ...page }),
        ({ agentDefId: id, skillId: its }) => `/agents/${encodeURIComponent(String(id))}/skills${below(its)}`,
      ],
      [
        'SkillTool',
        fc.record({ skillId: skill, toolId: maybe(ids.toolId), ...page }),
        ({ skillId: id, toolId: its }) => `/skills/${String(id)}/tools${below(its)}`,
      ],
      [
        'SkillDependency',
        fc.record({ skillId: skill, dependsOnSkillId: maybe(ids.skillId), ...page }),
        ({ skillId: id, dependsOnSkillId: its }) => `/skills/${String(id)}/dependencies${below(its)}`,
      ],
      [
        'ToolParam',
        fc.record({ toolId: one(ids.toolId), paramName: maybe(['accountId', 'no', 'a/b']) }),
        ({ toolId: id, paramName: its }) => `/tools/${String(id)}/params${below(its)}`,
      ],
    ];
    for (const [noun, arbitrary, pathOf] of asks) {
      await fc.assert(
        fc.asyncProperty(arbitrary, async (data) => {
          const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
          const query = 'limit' in given ? `?limit=${String(given['limit'])}` : '';
          const twin = await server().api('GET', pathOf(given) + query);
          expect(shown(await rpc('query', `get${noun}`, given))).toEqual(shown(twin));
        }),
        { ...many(15), examples: [] },
      );
    }
  });

  test('a fresh record is asked for by all of its keys', async () => {
    const fresh = await rpc('query', 'getFreshSkill', { skillId: agent.skillId });
    expect(shown(fresh)).toEqual(shown(await server().api('GET', `/skills/${agent.skillId}`)));
    const { status, body } = await rpc('query', 'getFreshSkill', {});
    expect([status, body['code'], body['errors']]).toEqual([
      400,
      'invalid_data',
      [{ pointer: '/data/skillId', detail: expect.any(String) }],
    ]);
  });

  test('commands make, change and take away, once under one key, and not over what somebody else has written', async () => {
    const headers = { 'idempotency-key': v7() };
    const make = () => rpc('command', 'createSkill', { name: 'Third', content_markdown: 'Do.' }, { headers });
    const { status, body } = await make();
    expect(status).toBe(201);
    expect((await make()).body).toEqual(body);
    const skillId = String(body['id']);
    const { body: read } = await server().api('GET', `/skills/${skillId}`);
    const change = { skillId, description: 'Three.', aggregateVersion: read['aggregateVersion'] };
    expect((await rpc('command', 'updateSkill', change)).status).toBe(200);
    expect((await rpc('command', 'updateSkill', change)).status).toBe(412);

    await rpc('command', 'createSkillTool', { skillId, toolId: toolId(), accessLevel: 'write' });
    await rpc('command', 'createSkillDependency', { skillId, dependsOnSkillId: second, required: false });
    // The reference system sends such members as texts.
    const assigned = await rpc('command', 'createAgentSkill', {
      ...{ agentDefId: agent.agentDefId, skillId, config: '{"domains": ["bank"]}', priority: 7 },
    });
    expect(assigned.status).toBe(201);
    const link = await rpc('query', 'getAgentSkill', { agent_def_id: agent.agentDefId, skill_id: skillId });
    expect(link.body).toMatchObject({ config: { domains: ['bank'] }, priority: 7, skill_id: skillId });

    await rpc('command', 'updateAgentSkill', { agentDefId: agent.agentDefId, skillId, priority: 8 });
    expect((await server().api('GET', `/agents/${agent.agentDefId}/skills/${skillId}`)).body).toMatchObject({
      priority: 8,
    });
    const gone: readonly (readonly [string, Values])[] = [
      ['deleteAgentSkill', { agentDefId: agent.agentDefId }],
      ['deleteSkillTool', { toolId: toolId() }],
      ['deleteSkillDependency', { dependsOnSkillId: second }],
      ['deleteSkill', {}],
    ];
    for (const [action, data] of gone)
      expect((await rpc('command', action, { skillId, ...data })).status).toBe(200);
    expect((await server().api('GET', `/skills/${skillId}`)).body).toMatchObject({ active: false });
  });

  test('a skill is saved with all that belongs to it as over HTTP, whatever is named', async () => {
    const ids = [agent.skillId, second, v7()];
    const toolIds = [...Object.values(agent.toolIds), v7(), 'no id'];
    const some = <T>(item: fc.Arbitrary<T>) =>
      fc.option(fc.array(item, { maxLength: 3 }), { nil: undefined });
    const config = fc.constantFrom({}, { priority: 3 }, { nothing: 1 });
    const whole: fc.Arbitrary<Values> = fc.record({
      skillId: fc.option(fc.constantFrom(...ids), { nil: undefined }),
      name: fc.option(fc.constantFrom('Accounts', 'Saved', ''), { nil: undefined }),
      contentMarkdown: fc.option(fc.constant('Do.'), { nil: undefined }),
      tools: some(fc.record({ toolId: fc.constantFrom(...toolIds), config })),
      dependencies: some(fc.record({ dependsOnSkillId: fc.constantFrom(...ids), required: fc.boolean() })),
      tagIds: some(fc.constantFrom(v7())),
    });
    const statuses = new Set<number>();
    const comparable = (answer: ApiAnswer) =>
      shown(answer).map((part) => (typeof part === 'string' ? part.replaceAll(anyId, 'id') : part));
    await fc.assert(
      fc.asyncProperty(whole, fc.constantFrom(undefined, 1, 99), async (given, version) => {
        const named = Object.entries(given).filter(([, value]) => value !== undefined);
        const body: Values = { ...Object.fromEntries(named), dryRun: true };
        const headers = { ...(version !== undefined && { 'if-match': `"${String(version)}"` }) };
        const twin = await server().api('POST', '/skills/save', { body, headers });
        statuses.add(twin.status);
        const aggregateVersion = version === undefined ? {} : { aggregateVersion: version };
        const asked = await rpc('command', 'saveSkill', { ...body, ...aggregateVersion });
        expect(comparable(asked)).toEqual(comparable(twin));
      }),
      { ...many(40), examples: [[{ skillId: agent.skillId, tools: [], dependencies: [] }, undefined]] },
    );
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400]));
  });

  test('a skill is saved in the names and texts of the reference system, once under one key', async () => {
    const headers = { 'idempotency-key': v7() };
    const save = (more: Values = {}) =>
      rpc(
        'command',
        'saveSkill',
        {
          ...{ name: 'Whole', content_markdown: 'Do.' },
          tools: [{ tool_id: toolId(), access_level: 'write', config: '{"priority": 3}' }],
          dependencies: [{ depends_on_skill_id: second, required: false }],
          ...more,
        },
        { headers },
      );
    const { status, body } = await save();
    expect([status, body['changed'], body['tools']]).toEqual([
      201,
      true,
      { added: [toolId()], changed: [], removed: [] },
    ]);
    expect((await save()).body).toEqual(body);
    expect((await save({ tools: [] })).status).toBe(422);
    const skillId = String(body['id']);
    const link = await server().api('GET', `/skills/${skillId}/tools/${toolId()}`);
    expect(link.body).toMatchObject({ accessLevel: 'write', config: { priority: 3 } });
    const needs = await server().api('GET', `/skills/${skillId}/dependencies/${second}`);
    expect(needs.body).toMatchObject({ required: false });
  });

  test('several skills are assigned as one, or none of them', async () => {
    const { body } = await server().api<{ id: string }>('POST', '/skills', {
      body: { name: 'Empty', contentMarkdown: 'x' },
    });
    const batch = (skills: readonly Values[]) =>
      rpc('command', 'createAgentSkills', { agentDefId: agent.agentDefId, skills });
    const refused = await batch([{ skillId: agent.skillId }, { skillId: body.id }]);
    expect(refused.status).toBe(409);
    expect((await batch([{ skillId: agent.skillId }])).status).toBeLessThan(300);
  });

  test('what can’t be taken says what is wrong, where, and what to do', async () => {
    const refusals: readonly (readonly [Promise<ApiAnswer>, string])[] = [
      [rpc('query', 'getNothing', {}), 'GET /portal/spec lists'],
      [rpc('query', 'createSkill', {}), '/portal/command'],
      [rpc('command', 'getSkill', {}), '/portal/query'],
      [rpc('command', 'createToolParam', {}), 'updateTool'],
      [rpc('query', '__proto__', {}), 'GET /portal/spec lists'],
      [rpc('query', 'getSkill', { skillId: agent.skillId, skill_id: second }), 'twice'],
      [rpc('query', 'getSkill', { skillId: agent.skillId, nothing: 1 }), 'nothing'],
      [rpc('query', 'getTool', { toolId: { $ne: 1 } }), '/data/toolId'],
      [rpc('command', 'updateSkill', { skillId: agent.skillId, nam: 'x' }), '/nam'],
    ];
    for (const [answer, text] of refusals) {
      const { status, text: said } = await answer;
      expect({ status, said }).toEqual({ status: 400, said: expect.stringContaining(text) });
    }
    const walked = await rpc('query', 'getSkill', { skillId: '../tools' });
    expect(walked.body['code']).toBe('invalid_path');
  });

  test('a token that may only read changes nothing, and an agent’s own reads nothing but its catalog', async () => {
    const reader = await server().token({ scope: 'catalog:read' });
    const own = await server().token({
      scope: 'catalog:agent',
      agent_def_id: agent.agentDefId,
      sid: 'accounts',
    });
    for (const [action, { kind }] of portalActions) {
      const data = {
        agentDefId: agent.agentDefId,
        skillId: agent.skillId,
        toolId: toolId(),
        dependsOnSkillId: second,
        paramName: 'x',
      };
      const named = {
        ...data,
        ...(action === 'getEffectiveAgentCatalog' && { serviceId: 'accounts', envTag: 'dev' }),
      };
      if (kind === 'command') expect((await rpc(kind, action, named, { token: reader })).status).toBe(403);
      const status = (await rpc(kind, action, named, { token: own })).status;
      if (action === 'getEffectiveAgentCatalog') expect(status).toBe(400);
      else expect([action, status]).toEqual([action, 403]);
    }
  });

  describe('no unapproved version goes through', () => {
    const { trying } = doorsWorld(server);

    test.each(actedNames.filter((id) => id in doors))('the action for %s', (door) =>
      trying((world) =>
        (doors[door]?.(world) ?? []).map(([who, ...request]): Try => [who, ...asAction(...request)]),
      ),
    );
  });

  test('the published description names every action, what it takes and what it gives', async () => {
    const { body } = await server().api<{ actions: readonly Values[] }>('GET', '//portal/spec', {
      token: '',
    });
    expect(body.actions.map(({ action }) => action)).toEqual([...portalActions.keys()]);
    expect(body.actions.find(({ action }) => action === 'createAgentSkill')).toMatchObject({
      ...{ path: '/portal/command', operation: 'createAgentSkill', scope: ['catalog:write'] },
      data: { required: ['hostId', 'agentDefId', 'skillId'], properties: { priority: expect.any(Object) } },
    });
  });
});

function below(id: unknown): string {
  return typeof id === 'string' ? `/${encodeURIComponent(id)}` : '';
}
