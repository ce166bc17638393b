import { randomUUID } from 'node:crypto';
import { decode } from '@toon-format/toon';
import { INTERCEPTORS, type CommandInterceptor } from '../../src/command-surface/agent-command.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { eachOwnServer, type OwnServer } from './own-server.js';

interface Listed {
  readonly commands: readonly {
    readonly name: string;
    readonly execution: string;
    readonly parameters: object;
  }[];
}
interface Problem {
  readonly code: string;
  readonly detail: string;
}

const invoke = <Body = Record<string, unknown>>(
  server: OwnServer,
  name: string,
  body: object,
  token?: string,
) => server.api<Body>('POST', `/agent/commands/${name}`, { body, ...(token !== undefined && { token }) });

eachOwnServer((server) => {
  let agent: AccountAgent;
  let agentToken: string;

  beforeAll(async () => {
    const operator = await server().token();
    const send = async (method: string, path: string, token: string, more: { body?: unknown } = {}) =>
      server().api(method, path, { token, body: more.body });
    agent = await makeAccountAgent({ send: send }, operator);
    agentToken = await server().token({
      scope: 'catalog:agent',
      sid: 'accounts',
      agent_def_id: agent.agentDefId,
    });
  });

  it('lists what the token may use, and is no part of the stable document', async () => {
    const { body } = await server().api<Listed>('GET', '/agent/commands');
    const names = body.commands.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['get_effective_catalog', 'get_graph_schema', 'query_graph', 'draft_skill']),
    );
    expect(body.commands.find(({ name }) => name === 'query_graph')?.execution).toBe('intercepted');
    const few = await server().api<Listed>('GET', '/agent/commands', { token: agentToken });
    expect(few.body.commands.map(({ name }) => name)).not.toContain('draft_skill');
    const one = await server().api<Listed>('GET', '/agent/commands?command_names=get_query_dsl&format=llm');
    const known = body.commands.find(({ name }) => name === 'get_query_dsl');
    const [shown] = (decode(one.text) as unknown as Listed).commands;
    expect(Object.keys(shown ?? {}).sort()).toEqual(Object.keys(known ?? {}).sort());
    expect((await server().api('GET', '/agent/commands?command_names=sing')).status).toBe(404);
    const document = await server().api<{ paths: Record<string, unknown> }>('GET', '//openapi.json', {
      token: '',
    });
    const paths = Object.keys(document.body.paths);
    expect(paths.filter((path) => path.includes('/agent/commands'))).toEqual([]);
    expect(paths).toContain('/v1/hosts/{hostId}/graph/query');
  });

  it('searches, for whoever may read the host and within an agent’s catalog', async () => {
    const question = { prompt: 'look up an account', limit: 3 };
    for (const [name, kind] of [
      ['search_tools', 'tool'],
      ['search_skills', 'skill'],
    ] as const) {
      const { body } = await invoke<{ items: { kind: string; id: string }[] }>(server(), name, question);
      expect(body.items.length).toBeGreaterThan(0);
      expect(new Set(body.items.map((item) => item.kind))).toEqual(new Set([kind]));
    }
    const mine = await invoke<{ items: { id: string }[] }>(server(), 'search_tools', question, agentToken);
    const given = new Set(Object.values(agent.toolIds));
    expect(mine.body.items.length).toBeGreaterThan(0);
    expect(mine.body.items.every(({ id }) => given.has(id))).toBe(true);
    expect((await invoke(server(), 'search_tools', {})).status).toBe(400);
  });

  it('runs commands in both formats', async () => {
    const raw = await invoke<{ nodes: { name: string }[] }>(server(), 'find_nodes', { entity: 'Skill' });
    expect(raw.body.nodes).toContainEqual(expect.objectContaining({ id: agent.skillId }));
    const llm = await invoke(server(), 'find_nodes', { entity: 'Skill', order_by: '-name', format: 'llm' });
    expect(llm.headers.get('content-type')).toContain('text/plain');
    expect(decode(llm.text)).toMatchObject({ query_type: 'traversal' });
    const around = await invoke<{ nodes: object[] }>(server(), 'explore_neighbors', {
      ...{ entity: 'Skill', node_id: agent.skillId, node_types: ['Agent'] },
    });
    expect(around.body.nodes).toContainEqual(
      expect.objectContaining({ type: 'Agent', id: agent.agentDefId }),
    );
    const counted = await invoke<{ rows: object[] }>(server(), 'aggregate_nodes', {
      nodes: [{ id: 't', entity: 'Tool' }],
      aggregations: [{ count: 't', as: 'tools' }],
    });
    expect(counted.body.rows).toEqual([{ tools: Object.keys(agent.toolIds).length }]);
    const links = await invoke<{ nodes: { type: string; id: string }[]; edges: object[] }>(
      server(),
      'traverse_relationships',
      {
        nodes: [
          { id: 's', entity: 'Skill', node_ids: [agent.skillId] },
          { id: 't', entity: 'Tool' },
        ],
        relationships: [{ type: 'USES_TOOL', from: 's', to: 't' }],
        limit: 2,
      },
    );
    const toolIds = links.body.nodes.filter(({ type }) => type === 'Tool').map(({ id }) => id);
    expect(toolIds).toHaveLength(2);
    expect(links.body.edges).toEqual(
      expect.arrayContaining(
        toolIds.map((id): unknown =>
          expect.objectContaining({ from_id: agent.skillId, to_id: id, type: 'USES_TOOL' }),
        ),
      ),
    );
    const bare = await server().api('POST', '/agent/commands/get_query_dsl');
    expect([bare.status, bare.body]).toMatchObject([200, { format: 'portal_catalog.query_dsl.v1' }]);
    const path = await invoke<{ edges: object[] }>(server(), 'find_paths', {
      from: { entity: 'Agent', node_ids: [agent.agentDefId] },
      to: { entity: 'Tool', filters: { destructive: true } },
    });
    expect(path.body.edges.length).toBeGreaterThan(0);
  });

  it('streams query_graph as NDJSON beyond a page', async () => {
    const query = {
      query_type: 'traversal',
      nodes: [{ id: 'p', entity: 'ToolParam', columns: ['name'] }],
      limit: 1000,
    };
    const { headers, text } = await invoke(server(), 'query_graph', { query });
    expect(headers.get('content-type')).toContain('application/x-ndjson');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; pagination?: object });
    expect(lines.at(0)?.kind).toBe('header');
    expect(lines.at(-1)).toMatchObject({
      kind: 'end',
      pagination: { page_rows: lines.length - 2, total_rows: lines.length - 2 },
    });
    const few = await invoke(server(), 'query_graph', { query: { ...query, limit: 2 } });
    const fewLines = few.text.trim().split('\n');
    expect(fewLines).toHaveLength(4);
    expect(JSON.parse(fewLines.at(-1) ?? '')).toMatchObject({
      pagination: { has_more: true, page_rows: 2, total_rows: lines.length - 2 },
    });
    const bad = await invoke<Problem>(server(), 'query_graph', { query: { query_type: 'sing', nodes: [] } });
    expect([bad.status, bad.body.code]).toEqual([400, 'invalid_graph_query']);
    const llm = await invoke(server(), 'query_graph', { query: { ...query, limit: 30 }, format: 'llm' });
    expect(decode(llm.text)).toMatchObject({ query_type: 'traversal' });
  });

  it('streams what is too large for one answer in smaller pages', async () => {
    const contentMarkdown = 'A long instruction. '.repeat(12_500);
    const names = Array.from({ length: 18 }, (_, index) => `Large ${String(index)} ${randomUUID()}`);
    const made = await Promise.all(
      names.map((name) =>
        server().api<{ id: string }>('POST', '/skills', { body: { name, contentMarkdown } }),
      ),
    );
    const query = {
      query_type: 'traversal',
      nodes: [
        { id: 's', entity: 'Skill', columns: ['contentMarkdown'], node_ids: made.map(({ body }) => body.id) },
      ],
      limit: 100,
    };
    const whole = await server().api<Problem>('POST', '/graph/query', { body: { query } });
    expect([whole.status, whole.body.code]).toEqual([400, 'graph_answer_too_large']);
    const { status, text } = await invoke(server(), 'query_graph', { query });
    expect(status).toBe(200);
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; node?: { id: string } });
    const ids = lines.flatMap(({ node }) => (node === undefined ? [] : [node.id]));
    expect(ids.sort()).toEqual(made.map(({ body }) => body.id).sort());
    expect(lines.at(-1)).toMatchObject({
      kind: 'end',
      pagination: { has_more: false, page_rows: 18, total_rows: 18 },
    });
    for (const { body } of made) await server().api('POST', `/skills/${body.id}/deactivate`);
  });

  it('gives an agent its own', async () => {
    const catalog = await invoke<{ skills: { skillId: string }[] }>(
      server(),
      'get_effective_catalog',
      {},
      agentToken,
    );
    expect(catalog.body.skills.map(({ skillId }) => skillId)).toEqual([agent.skillId]);
    const skill = await invoke(server(), 'get_skill', { skillId: agent.skillId }, agentToken);
    expect(skill.body).toMatchObject({ contentMarkdown: expect.stringContaining('# Accounts') });
    const [name = '', toolId = ''] = Object.entries(agent.toolIds)[0] ?? [];
    for (const token of [agentToken, await server().token()]) {
      const tool = await invoke(server(), 'get_tool', { name }, token);
      expect(tool.body).toMatchObject({ toolId, inputSchema: { type: 'object' } });
    }
    const operatorsView = await invoke<{ tools: object[] }>(server(), 'get_skill', {
      skillId: agent.skillId,
    });
    expect(operatorsView.body.tools).toHaveLength(Object.keys(agent.toolIds).length);
    const both = await invoke<Problem>(server(), 'get_tool', { name, toolId }, agentToken);
    expect([both.status, both.body.code]).toEqual([400, 'invalid_parameters']);
    const other = await invoke(server(), 'get_effective_catalog', { agentDefId: agent.skillId }, agentToken);
    expect(other.status).toBe(403);
    const bare = await server().token({ scope: 'catalog:agent', sid: 'accounts' });
    expect((await invoke(server(), 'find_nodes', { entity: 'Skill' }, bare)).status).toBe(400);
    const named = { entity: 'Skill', agentDefId: agent.agentDefId };
    expect((await invoke(server(), 'find_nodes', named, bare)).status).toBe(200);
  });

  it('names no tool that a narrowed token does not read, where a tool refers to it', async () => {
    const [name = '', toolId = ''] = Object.entries(agent.toolIds)[0] ?? [];
    const routing = { dependencies: [{ endpoint: '/hidden@get' }], fallbackEndpoint: '/hidden@get' };
    await server().api('PATCH', `/tools/${toolId}`, { body: { routing } });
    const whole = await invoke(server(), 'get_tool', { name });
    expect(whole.body['routingMetadata']).toMatchObject(routing);
    const token = await server().token({ sid: 'accounts', maxSensitivityTier: 'internal' });
    const cut = await invoke(server(), 'get_tool', { name }, token);
    expect([cut.status, cut.body['toolId']]).toEqual([200, toolId]);
    expect(cut.text).not.toContain('/hidden');
    const body = { routing: { dependencies: null, fallbackEndpoint: null } };
    await server().api('PATCH', `/tools/${toolId}`, { body });
  });

  it('writes for authors, through the same rules', async () => {
    const name = `Drafted ${randomUUID()}`;
    const refused = await invoke(server(), 'draft_skill', { name, contentMarkdown: 'Do.' }, agentToken);
    expect(refused.status).toBe(403);
    const skill = await invoke<{ id: string }>(server(), 'draft_skill', { name, contentMarkdown: 'Do.' });
    expect([skill.status, skill.body]).toMatchObject([200, { version: 1, changed: true }]);
    const twice = await invoke<Problem>(server(), 'draft_skill', { name, contentMarkdown: 'Do.' });
    expect([twice.status, twice.body.code]).toEqual([409, 'skill_name_taken']);
    const [toolId = ''] = Object.values(agent.toolIds);
    const early = { agentDefId: agent.agentDefId, skillId: skill.body.id };
    expect((await invoke(server(), 'assign_skill', early)).status).toBe(409);
    expect((await invoke(server(), 'link_tool', { skillId: skill.body.id, toolId })).status).toBe(200);
    expect((await invoke(server(), 'assign_skill', early)).status).toBe(200);
    const given = await server().api<{ skills: { skillId: string }[] }>('GET', agent.catalog, {
      token: agentToken,
    });
    expect(given.body.skills.map(({ skillId }) => skillId)).toContain(skill.body.id);
    await server().api('DELETE', `/agents/${agent.agentDefId}/skills/${skill.body.id}`);
    await server().api('POST', `/skills/${skill.body.id}/deactivate`);
  });

  it('writes once under a key, and only on the version that is expected', async () => {
    const name = `Once ${randomUUID()}`;
    const draft = { name, contentMarkdown: 'Do.', idempotencyKey: `draft-${name}`.replaceAll(' ', '-') };
    const first = await invoke<{ id: string }>(server(), 'draft_skill', draft);
    expect(first.status).toBe(200);
    const again = await invoke(server(), 'draft_skill', { ...draft, format: 'raw' });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await invoke<Problem>(server(), 'draft_skill', { ...draft, name: `${name} 2` });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    // One key, one request: over HTTP as well.
    const headers = { 'idempotency-key': draft.idempotencyKey };
    const overHttp = await server().api('POST', '/skills', {
      headers,
      body: { name, contentMarkdown: 'Do.' },
    });
    expect(overHttp.status).toBe(422);
    const [toolId = ''] = Object.values(agent.toolIds);
    const link = { skillId: first.body.id, toolId };
    expect((await invoke(server(), 'link_tool', link)).body).toMatchObject({ version: 1 });
    const changed = { ...link, accessLevel: 'read' };
    const late = await invoke<Problem>(server(), 'link_tool', { ...changed, expectedVersion: 2 });
    expect([late.status, late.body.code]).toEqual([412, 'version_conflict']);
    const inTime = await invoke(server(), 'link_tool', { ...changed, expectedVersion: 1 });
    expect([inTime.status, inTime.body]).toMatchObject([200, { version: 2, changed: true }]);
    const sent = (body: object, more: Record<string, string>) =>
      server().api<{ version: number }>('POST', '/agent/commands/link_tool', { body, headers: more });
    expect((await sent(link, { 'if-match': '"1"' })).status).toBe(412);
    const keyed = { 'if-match': '"2"', 'idempotency-key': `link-${name}`.replaceAll(' ', '-') };
    for (const attempt of [1, 2]) {
      const { status, body } = await sent(link, keyed);
      expect([attempt, status, body.version]).toEqual([attempt, 200, 3]);
    }
    expect((await sent(link, { 'if-match': 'three' })).status).toBe(400);
    await server().api('POST', `/skills/${first.body.id}/deactivate`);
  });

  it('tells administrators why an agent is given a tool, and what it could not call now', async () => {
    const [tool = '', toolId = ''] = Object.entries(agent.toolIds)[0] ?? [];
    const { agentDefId } = agent;
    const why = await invoke(server(), 'explain_disclosure', { agentDefId, tool });
    expect(why.body).toMatchObject({
      agentDefId,
      disclosed: true,
      offers: [{ skillId: agent.skillId, toolId }],
    });
    const query = new URLSearchParams({ serviceId: 'accounts', envTag: 'dev', tool }).toString();
    const route = await server().api('GET', `/agents/${agentDefId}/effective-catalog/explain?${query}`);
    expect(why.body).toEqual(route.body);
    expect((await invoke(server(), 'explain_disclosure', { tool })).status).toBe(400);
    expect((await invoke(server(), 'explain_disclosure', { agentDefId, tool: 'sing' })).status).toBe(404);
    const now = await invoke(server(), 'diagnose_agent', { agentDefId });
    expect(now.body).toEqual((await server().api('GET', `/diagnostics/agents/${agentDefId}`)).body);
    for (const claims of [
      { scope: 'catalog:read' },
      { agent_def_id: agentDefId },
      { maxSensitivityTier: 'internal' },
    ]) {
      const token = await server().token({ sid: 'accounts', ...claims });
      const { body } = await server().api<Listed>('GET', '/agent/commands', { token });
      const names = body.commands.map(({ name }) => name);
      for (const name of ['explain_disclosure', 'diagnose_agent']) {
        expect(names).not.toContain(name);
        expect((await invoke(server(), name, { agentDefId, tool }, token)).status).toBe(403);
      }
    }
  });

  it('refuses what no interceptor takes, and says where to go', async () => {
    const interceptors = server().app.get<CommandInterceptor[]>(INTERCEPTORS);
    const taken = interceptors.splice(0);
    try {
      for (const [name, body, route] of [
        ['query_graph', { query: {} }, 'POST /v1/hosts/{hostId}/graph/query'],
        ['query_graph', { query: {}, format: 'llm' }, 'POST /v1/hosts/{hostId}/graph/query'],
        [
          'diagnose_agent',
          { agentDefId: agent.agentDefId },
          'GET /v1/hosts/{hostId}/diagnostics/agents/{agentDefId}',
        ],
      ] as const) {
        const refused = await invoke<Problem>(server(), name, body);
        expect([refused.status, refused.body.code]).toEqual([409, 'failed_precondition']);
        expect(refused.body.detail).toContain('FAILED_PRECONDITION');
        expect(refused.body.detail).toContain(route);
      }
    } finally {
      interceptors.push(...taken);
    }
  });

  it('refuses unknown commands and odd parameters, and measures both paths', async () => {
    expect((await invoke(server(), 'sing', {})).status).toBe(404);
    const odd = await invoke<Problem>(server(), 'find_nodes', { entity: 'Skill', colour: 'red' });
    expect([odd.status, odd.body.code]).toEqual([400, 'invalid_parameters']);
    const metrics = await server().api('GET', '//metrics', { token: '' });
    expect(metrics.text).toMatch(
      /catalog_agent_command_seconds_count\{command="find_nodes",path="direct",outcome="done"\}/,
    );
    expect(metrics.text).toMatch(
      /catalog_agent_command_seconds_count\{command="query_graph",path="intercepted"/,
    );
  });

  it('keeps the settings of the host as an event', async () => {
    expect((await server().api('GET', '/settings')).body).toMatchObject({
      commandTools: false,
      aggregateVersion: 0,
    });
    const writer = await server().token({ scope: 'catalog:write', sid: 'accounts' });
    expect(
      (await server().api('PUT', '/settings', { body: { commandTools: true }, token: writer })).status,
    ).toBe(403);
    const untouched = { body: { commandTools: true }, headers: { 'if-match': '"0"' } };
    const on = await server().api<{ position: number }>('PUT', '/settings', untouched);
    expect([on.status, on.body]).toMatchObject([200, { version: 1, changed: true, commandTools: true }]);
    expect((await server().api('PUT', '/settings', untouched)).status).toBe(412);
    const again = await server().api('PUT', '/settings', { body: { commandTools: true } });
    expect(again.body).toMatchObject({ version: 1, changed: false });
    expect((await server().api('GET', '/settings')).body).toMatchObject({ commandTools: true });
    const log = await server().api<{ items: { type: string }[] }>(
      'GET',
      `/events?after=${String(on.body.position - 1)}`,
    );
    expect(log.body.items.map(({ type }) => type)).toEqual(['HostSettingsChangedEvent']);
    await server().api('PUT', '/settings', { body: { commandTools: false } });
  });
});
