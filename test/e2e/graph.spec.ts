import { randomUUID } from 'node:crypto';
import { decode } from '@toon-format/toon';
import type { GraphAnswer } from '../../src/graph/answering/response-format.js';
import { makeAccountAgent, type AccountAgent } from './account-agent.js';
import { eachServer, hostId, type Server } from './server.js';

interface Problem {
  readonly code: string;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
}

const skillsAndTools = {
  query_type: 'traversal',
  nodes: [
    { id: 's', entity: 'Skill', columns: ['name'] },
    { id: 't', entity: 'Tool', columns: ['name', 'destructive'] },
  ],
  relationships: [{ type: 'USES_TOOL', from: 's', to: 't' }],
  order_by: 't.name',
};

async function ask<Body = GraphAnswer>(server: Server, query: unknown, more: object = {}, token?: string) {
  return server.api<Body>('POST', '/graph/query', {
    body: { query, ...more },
    ...(token !== undefined && { token }),
  });
}

eachServer((server) => {
  let agent: AccountAgent;
  let operator: string;

  beforeAll(async () => {
    operator = await server().token();
    const send = async (method: string, path: string, token: string, more: { body?: unknown } = {}) =>
      server().api(method, path, { token, body: more.body });
    agent = await makeAccountAgent({ send: send }, operator);
  });

  it('walks from skills to tools', async () => {
    const { status, body } = await ask(server(), skillsAndTools);
    expect(status).toBe(200);
    const tools = body.nodes.filter(({ type }) => type === 'Tool');
    expect(tools.map(({ id }) => id).sort()).toEqual(Object.values(agent.toolIds).sort());
    const names = tools.map(({ name }) => String(name));
    expect(names).toEqual([...names].sort());
    expect(body.edges).toHaveLength(tools.length);
    expect(body.edges[0]).toMatchObject({
      from: 'Skill',
      from_id: agent.skillId,
      to: 'Tool',
      type: 'USES_TOOL',
    });
    expect(body).toMatchObject({
      format_version: '2.0.0',
      query_type: 'traversal',
      pagination: { has_more: false },
    });
  });

  it('gives pages that hold together, and refuses the cursor of another query', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 20; page += 1) {
      const query = { ...skillsAndTools, limit: 2, ...(after !== undefined && { cursor: { after } }) };
      const { body } = await ask(server(), query);
      seen.push(...body.nodes.filter(({ type }) => type === 'Tool').map(({ id }) => id));
      after = body.pagination.next_cursor;
      if (after === undefined) break;
    }
    expect(seen.sort()).toEqual(Object.values(agent.toolIds).sort());
    const { body } = await ask(server(), { ...skillsAndTools, limit: 1 });
    const other = { ...skillsAndTools, order_by: '-t.name', cursor: { after: body.pagination.next_cursor } };
    const refused = await ask<Problem>(server(), other);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor']);
  });

  it('finds neighbours, paths and figures', async () => {
    const around = await ask(server(), {
      query_type: 'neighbors',
      nodes: [{ id: 's', entity: 'Skill', node_ids: [agent.skillId] }],
      neighbors: {},
    });
    expect(around.body.nodes).toContainEqual(
      expect.objectContaining({ type: 'Agent', id: agent.agentDefId, name: 'account-agent' }),
    );
    const [toolId = ''] = Object.values(agent.toolIds);
    const path = await ask(server(), {
      query_type: 'path_finding',
      nodes: [
        { id: 'a', entity: 'Agent', node_ids: [agent.agentDefId], columns: ['version'] },
        { id: 't', entity: 'Tool', node_ids: [toolId] },
      ],
      path: { from: 'a', to: 't' },
    });
    // What a query names columns for is shown with these; what was found with the usual ones.
    expect(path.body.nodes).toContainEqual({ type: 'Agent', id: agent.agentDefId, version: '1' });
    expect(path.body.nodes).toContainEqual(expect.objectContaining({ type: 'Skill', name: 'Accounts' }));
    expect(path.body.edges.map(({ type, path_id, step }) => [type, path_id, step])).toEqual([
      ['ASSIGNED', 0, 0],
      ['USES_TOOL', 0, 1],
    ]);
    const figures = await ask(server(), {
      ...{
        query_type: 'aggregation',
        nodes: skillsAndTools.nodes,
        relationships: skillsAndTools.relationships,
      },
      aggregations: [{ count: 't', as: 'tools' }],
      group_by: ['s', 't.destructive'],
    });
    const counts = (figures.body.rows ?? []).map(({ tools }) => Number(tools));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Object.keys(agent.toolIds).length);
  });

  it('tells models in TOON, and gives them little at once', async () => {
    const { headers, text } = await ask(server(), skillsAndTools, { format: 'llm' });
    expect(headers.get('content-type')).toContain('text/plain');
    const rendered = decode(text) as { nodes: { Tool: unknown[] }; toon_spec: string };
    expect(rendered.toon_spec).toBe('4.0');
    expect(rendered.nodes.Tool).toHaveLength(Object.keys(agent.toolIds).length);
    const refused = await ask<Problem>(server(), { ...skillsAndTools, limit: 31 }, { format: 'llm' });
    expect([refused.status, refused.body.errors[0]?.pointer]).toEqual([400, '/limit']);
  });

  it('names every fault, and what to ask for', async () => {
    const { status, body } = await ask<Problem>(server(), {
      query_type: 'traversal',
      nodes: [
        { id: 't', entity: 'Tool', filters: { colour: 'red', destructive: 'yes' } },
        { id: 's', entity: 'Skill' },
      ],
      relationships: [{ type: 'USES_TOOL', from: 't', to: 's' }],
    });
    expect([status, body.code]).toEqual([400, 'invalid_graph_query']);
    expect(body.errors.map(({ pointer }) => pointer)).toEqual([
      '/nodes/0/filters/colour',
      '/nodes/0/filters/destructive',
      '/relationships/0/type',
    ]);
    expect(body.errors[0]?.detail).toContain('expand_nodes ["Tool"]');
    expect(body.errors[1]?.detail).toContain('expand_nodes ["Tool"]');
    expect(body.errors[2]?.detail).toContain('USES_TOOL runs from Skill to Tool');
    const raw = await server().api<Problem>('POST', '/graph/query', { raw: '{"query": {query_type: 1}}' });
    expect([raw.status, raw.body.code]).toEqual([400, 'malformed_json']);
  });

  it('shows an agent’s token what its catalog discloses, and nothing else', async () => {
    const other = await server().api<{ id: string }>('POST', '/skills', {
      body: { name: `Hidden ${randomUUID()}`, contentMarkdown: 'Not for agents.' },
    });
    const [toolId = '', withheldId = ''] = Object.values(agent.toolIds);
    await server().api('PUT', `/skills/${other.body.id}/tools/${toolId}`, { body: {} });
    await server().api('PATCH', `/tools/${withheldId}`, {
      body: { routing: { targetPersonas: ['nobody'] } },
    });
    const token = await server().token({
      scope: 'catalog:agent',
      sid: 'accounts',
      agent_def_id: agent.agentDefId,
    });
    const catalog = await server().api<{ skills: { tools: { toolId: string }[] }[] }>('GET', agent.catalog, {
      token,
    });
    const disclosed = catalog.body.skills.flatMap(({ tools }) => tools.map((tool) => tool.toolId)).sort();
    expect(disclosed).not.toContain(withheldId);
    const { body } = await ask(server(), skillsAndTools, {}, token);
    const ids = (type: string) => body.nodes.filter((node) => node.type === type).map(({ id }) => id);
    expect(ids('Tool').sort()).toEqual(disclosed);
    expect(ids('Skill')).toEqual([agent.skillId]);
    const count = await ask(
      server(),
      { query_type: 'aggregation', nodes: [{ id: 's', entity: 'Skill' }], aggregations: [{ count: 's' }] },
      {},
      token,
    );
    expect(count.body.rows).toEqual([{ count_s: 1 }]);
    const bare = await server().token({ scope: 'catalog:agent', sid: 'accounts' });
    expect((await ask(server(), skillsAndTools, {}, bare)).status).toBe(400);
    const named = await ask(server(), skillsAndTools, { agentDefId: agent.agentDefId }, bare);
    expect(named.body.nodes.map(({ id }) => id).sort()).toEqual(body.nodes.map(({ id }) => id).sort());
    await server().api('PATCH', `/tools/${withheldId}`, { body: { routing: { targetPersonas: null } } });
  });

  it('leaves out what lies above the token’s tier, or in other services and hosts', async () => {
    const count = {
      query_type: 'aggregation',
      nodes: [{ id: 't', entity: 'Tool' }],
      aggregations: [{ count: 't' }],
    };
    const rows = async (claims: Readonly<Record<string, unknown>>) =>
      (
        await ask(
          server(),
          count,
          {},
          await server().token({ scope: 'catalog:read', sid: 'accounts', ...claims }),
        )
      ).body.rows;
    const all = Object.keys(agent.toolIds).length;
    expect(await rows({})).toEqual([{ count_t: all }]);
    expect(await rows({ sid: 'payments' })).toEqual([{ count_t: 0 }]);
    expect(await rows({ env: 'prod' })).toEqual([{ count_t: 0 }]);
    expect(await rows({ maxSensitivityTier: 'public' })).toEqual([{ count_t: 0 }]);
    const elsewhere = await server().token({ host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e99' });
    expect((await ask(server(), count, {}, elsewhere)).status).toBe(403);
  });

  it('shows SQL without its values, and only to administrators', async () => {
    const query = {
      query_type: 'traversal',
      nodes: [{ id: 't', entity: 'Tool', filters: { name: 'secret-name' } }],
      options: { include_debug_sql: true },
    };
    const { body } = await ask(server(), query);
    expect(body.debug?.sql[0]).toContain('graph_tool');
    expect(JSON.stringify(body.debug)).not.toContain('secret-name');
    const reader = await server().token({ scope: 'catalog:read', sid: 'accounts' });
    expect((await ask(server(), query, {}, reader)).status).toBe(403);
  });

  it('describes itself: schema, language, answers and status, each in both formats', async () => {
    const minimal = await server().api<{ node_types: object[]; revision: string }>('GET', '/graph/schema');
    expect(minimal.body.node_types).toContainEqual({ name: 'Tool' });
    const partial = await server().api<{ node_types: { name: string; properties?: object[] }[] }>(
      'GET',
      '/graph/schema?expand_nodes=Tool,Skill',
    );
    const expanded = partial.body.node_types.filter(({ properties }) => properties !== undefined);
    expect(expanded.map(({ name }) => name).sort()).toEqual(['Skill', 'Tool']);
    const known = await server().api(
      'GET',
      `/graph/schema?revision=${encodeURIComponent(minimal.body.revision)}`,
    );
    expect(known.body).toMatchObject({ unchanged: true });
    expect(known.body).not.toHaveProperty('node_types');
    const more = await server().api(
      'GET',
      `/graph/schema?expand_nodes=Tool&revision=${encodeURIComponent(minimal.body.revision)}`,
    );
    expect(more.body).toMatchObject({
      unchanged: true,
      node_types: [{ name: 'Tool', properties: expect.any(Array) as unknown }],
    });
    expect((await server().api('GET', '/graph/schema?expand_nodes=Tol')).status).toBe(400);
    for (const path of ['schema', 'dsl', 'response-format', 'status']) {
      const raw = await server().api('GET', `/graph/${path}`);
      const llm = await server().api('GET', `/graph/${path}?format=llm`);
      expect([path, raw.status, llm.status]).toEqual([path, 200, 200]);
      const { schema: _schema, node_types: _nodes, ...same } = raw.body;
      expect(decode(llm.text)).toMatchObject({ toon_spec: '4.0', ...same });
      // What a model is told is the same in fewer words.
      if (path !== 'status') expect(llm.text.length).toBeLessThan(raw.text.length);
    }
    const rendered = await server().api('GET', '/graph/schema?expand_nodes=Tool&format=llm');
    expect(decode(rendered.text)).toMatchObject({
      node_types: expect.arrayContaining(['Tool', 'Skill']) as string[],
      Tool: {
        properties: expect.arrayContaining([
          expect.objectContaining({
            name: 'destructive',
            type: 'boolean',
            operators: 'eq is_null is_not_null',
          }),
        ]) as object[],
      },
    });
    const dsl = await server().api('GET', '/graph/dsl?format=llm');
    const grammar = decode(dsl.text) as Record<string, { name: string; type: string }[]>;
    expect(grammar['query']?.map(({ name }) => name)).toContain('aggregation_sort');
    expect(grammar['relationship']).toContainEqual(
      expect.objectContaining({ name: 'direction', type: 'outgoing|incoming|both', required: false }),
    );
    const status = await server().api<{ node_types: { name: string; count: number }[] }>(
      'GET',
      '/graph/status',
    );
    expect(status.body.node_types).toContainEqual({ name: 'Agent', count: 1 });
  });

  it('keeps to the format and the language that a client pins', async () => {
    expect((await ask(server(), skillsAndTools, { formatVersion: '2.0' })).status).toBe(200);
    for (const formatVersion of ['1', '2.1', '3']) {
      const refused = await ask<Problem>(server(), skillsAndTools, { formatVersion });
      expect([refused.status, refused.body.code]).toEqual([400, 'format_version_unsupported']);
    }
    expect((await ask(server(), skillsAndTools, { languageVersion: '1' })).status).toBe(200);
    for (const languageVersion of ['2', '1.2', '0.9.0']) {
      const other = await ask<Problem>(server(), skillsAndTools, { languageVersion });
      expect([other.status, other.body.code]).toEqual([400, 'language_version_unsupported']);
      expect(other.body.errors[0]?.pointer).toBe('/languageVersion');
      const body = { query: skillsAndTools, languageVersion };
      const command = await server().api<Problem>('POST', '/agent/commands/query_graph', { body });
      expect([command.status, command.body.code]).toEqual([400, 'language_version_unsupported']);
    }
    expect(hostId).toMatch(/^[0-9a-f-]{36}$/);
  });
});
