import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { DisclosureWorld, reasons, registered } from './disclosure-world.js';
import { eachServer } from './server.js';

interface Tool {
  readonly toolId: string;
  readonly name: string;
  readonly endpointId: string;
  readonly apiVersionId: string;
  readonly apiId: string;
  readonly params: readonly { readonly name: string }[];
}
interface Catalog {
  readonly skills: readonly {
    readonly skillId: string;
    readonly tools: readonly Tool[];
    readonly dependsOn: readonly string[];
    readonly workflows: readonly { readonly wfDefId: string }[];
  }[];
}
interface Answer {
  readonly nodes: readonly { readonly type: string; readonly id: string }[];
  readonly edges: readonly { readonly from_id: string; readonly to_id: string }[];
  readonly rows?: readonly object[];
}

interface Status {
  readonly node_types: readonly { readonly name: string; readonly count: number }[];
}
const countsIn = ({ node_types }: Status): Record<string, number> =>
  Object.fromEntries(node_types.map(({ name, count }) => [name, count]));

const sorted = (ids: Iterable<string>): string[] => [...new Set(ids)].sort();

// The APIs behind the tools belong to the service `desk`, the agent to `desk-agent`.
eachServer((server) => {
  let world: DisclosureWorld;
  let catalog: Catalog;
  /** A skill that is given a tool which the other skill has too, and is not given. */
  let second: string;
  const tokens: Record<string, string> = {};

  const send = async <T>(token: string, method: string, path: string, body?: unknown) =>
    server().api<T>(method, path, { token, body });

  beforeAll(async () => {
    const admin = await server().token({ env: ['dev', 'prod'] });
    world = await new DisclosureWorld(server(), admin).make();
    second = (await world.ask<{ id: string }>('POST', '/skills', { name: 'Shelf', contentMarkdown: 'Do.' }))
      .id;
    const { toolId } = world.tool('access_level_too_low');
    await world.ask('PUT', `/skills/${second}/tools/${toolId}`, { accessLevel: 'execute' });
    await world.ask('PUT', `/skills/${second}/dependencies/${world.skillId}`, { required: true });
    await world.ask('PUT', `/agents/${world.agentDefId}/skills/${second}`, {});
    const claims = { sub: 'agent', sid: registered.serviceId, agent_def_id: world.agentDefId };
    tokens['agent'] = await server().token({ ...claims, scope: 'catalog:agent' });
    tokens['reader'] = await server().token({ ...claims, scope: 'catalog:read' });
    tokens['free reader'] = await server().token({
      ...claims,
      scope: 'catalog:read catalog:all-services',
    });
    tokens['operator'] = await server().token({ sid: registered.serviceId, scope: 'catalog:read' });
    const path = `/agents/${world.agentDefId}/effective-catalog?serviceId=${registered.serviceId}&envTag=dev`;
    catalog = (await send<Catalog>(tokens['agent'], 'GET', path)).body;
  });

  const tools = (): Tool[] => catalog.skills.flatMap((skill) => skill.tools);
  const paramsOf = ({ toolId, params }: Tool): string[] => params.map(({ name }) => `${toolId} ${name}`);
  const nodesOf = (): Record<string, string[]> => ({
    Agent: [world.agentDefId],
    Skill: sorted(catalog.skills.map(({ skillId }) => skillId)),
    Tool: sorted(tools().map(({ toolId }) => toolId)),
    Endpoint: sorted(tools().map(({ endpointId }) => endpointId)),
    ApiVersion: sorted(tools().map(({ apiVersionId }) => apiVersionId)),
    Api: sorted(tools().map(({ apiId }) => apiId)),
    Workflow: sorted(catalog.skills.flatMap(({ workflows }) => workflows.map(({ wfDefId }) => wfDefId))),
    Gateway: [],
  });
  const edgesOf = (): Record<string, string[]> => {
    const pairs = (ends: (skill: Catalog['skills'][number]) => readonly string[]): string[] =>
      sorted(catalog.skills.flatMap((skill) => ends(skill).map((end) => `${skill.skillId} ${end}`)));
    return {
      'Skill USES_TOOL Tool': pairs((skill) => skill.tools.map(({ toolId }) => toolId)),
      'Skill DEPENDS_ON Skill': pairs(({ dependsOn }) => dependsOn),
      'Skill USES_WORKFLOW Workflow': pairs(({ workflows }) => workflows.map(({ wfDefId }) => wfDefId)),
      'Agent ASSIGNED Skill': sorted(catalog.skills.map(({ skillId }) => `${world.agentDefId} ${skillId}`)),
      'Endpoint PROJECTED_AS Tool': sorted(tools().map((tool) => `${tool.endpointId} ${tool.toolId}`)),
      'ApiVersion HAS_ENDPOINT Endpoint': sorted(
        tools().map((tool) => `${tool.apiVersionId} ${tool.endpointId}`),
      ),
      'Api HAS_VERSION ApiVersion': sorted(tools().map((tool) => `${tool.apiId} ${tool.apiVersionId}`)),
      'Gateway EXPOSES Tool': [],
    };
  };
  const edgeQuery = (edge: string): object => {
    const [from = '', type = '', to = ''] = edge.split(' ');
    const nodes = [
      { id: 'a', entity: from },
      { id: 'b', entity: to },
    ];
    return { query_type: 'traversal', nodes, relationships: [{ type, from: 'a', to: 'b' }] };
  };
  const pairsIn = ({ edges }: Pick<Answer, 'edges'>): string[] =>
    sorted(edges.map(({ from_id, to_id }) => `${from_id} ${to_id}`));

  it('the catalog of the agent holds tools of another service, one of them with one skill of two', () => {
    expect(catalog.skills.map((skill) => [skill.skillId, skill.tools.length])).toEqual([
      [world.skillId, 2],
      [second, 1],
    ]);
  });

  describe.each(['agent', 'reader', 'free reader', 'operator'])('as %s, the graph', (who) => {
    const query = async (asked: object): Promise<Answer> => {
      const named = who === 'operator' ? { agentDefId: world.agentDefId } : {};
      const body = { query: asked, ...named };
      const {
        status,
        body: answer,
        text,
      } = await send<Answer>(tokens[who] ?? '', 'POST', '/graph/query', body);
      if (status !== 200) throw new Error(text);
      return answer;
    };
    const idsIn = ({ nodes }: Answer, type: string): string[] =>
      sorted(nodes.flatMap((node) => (node.type === type ? [node.id] : [])));

    it('has the nodes of the catalog', async () => {
      const seen: Record<string, string[]> = {};
      for (const entity of Object.keys(nodesOf())) {
        const answer = await query({ query_type: 'traversal', nodes: [{ id: 'n', entity }] });
        seen[entity] = idsIn(answer, entity);
      }
      expect(seen).toEqual(nodesOf());
    });

    it('has the edges of the catalog', async () => {
      const seen: Record<string, string[]> = {};
      for (const edge of Object.keys(edgesOf())) seen[edge] = pairsIn(await query(edgeQuery(edge)));
      expect(seen).toEqual(edgesOf());
    });

    it('gives neighbours, paths and figures of the catalog', async () => {
      const { toolId } = world.tool('open');
      const around = await query({
        query_type: 'neighbors',
        nodes: [{ id: 's', entity: 'Skill', node_ids: [world.skillId] }],
        neighbors: { rel_types: ['USES_TOOL'] },
      });
      const own = catalog.skills[0]?.tools.map((tool) => tool.toolId) ?? [];
      expect(idsIn(around, 'Tool')).toEqual(sorted(own));
      const way = await query({
        query_type: 'path_finding',
        nodes: [
          { id: 'a', entity: 'Agent', node_ids: [world.agentDefId] },
          { id: 't', entity: 'Tool', node_ids: [toolId] },
        ],
        path: { from: 'a', to: 't' },
      });
      expect(pairsIn(way)).toEqual(
        sorted([`${world.agentDefId} ${world.skillId}`, `${world.skillId} ${toolId}`]),
      );
      const counted = await query({
        query_type: 'aggregation',
        nodes: [{ id: 't', entity: 'Tool' }],
        aggregations: [{ count: 't' }],
      });
      expect(counted.rows).toEqual([{ count_t: nodesOf()['Tool']?.length }]);
    });

    it('counts the catalog in its status', async () => {
      const more = who === 'operator' ? `?agentDefId=${world.agentDefId}` : '';
      const { body } = await send<Status>(tokens[who] ?? '', 'GET', `/graph/status${more}`);
      const counts = Object.entries(nodesOf()).map(([type, ids]) => [type, ids.length]);
      const params = { ToolParam: new Set(tools().flatMap(paramsOf)).size };
      expect(countsIn(body)).toMatchObject({ ...Object.fromEntries(counts), ...params });
    });
  });

  it('so do the commands over MCP', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${tokens['agent'] ?? ''}` } };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${server().address}/mcp`), { requestInit }),
    );
    const run = async (name: string, given: object): Promise<Answer> => {
      const result = await client.callTool({ name, arguments: { ...given, format: 'raw' } });
      const [content] = result.content as readonly { readonly text: string }[];
      return JSON.parse(content?.text ?? '') as Answer;
    };
    const idsIn = ({ nodes }: Answer): string[] => sorted(nodes.map(({ id }) => id));
    const { Tool: all = [] } = nodesOf();
    const { toolId, name } = world.tool('open');
    expect(idsIn(await run('find_nodes', { entity: 'Tool' }))).toEqual(all);
    const { query_type: _, ...walk } = edgeQuery('Skill USES_TOOL Tool') as Record<string, unknown>;
    expect(pairsIn(await run('traverse_relationships', walk))).toEqual(edgesOf()['Skill USES_TOOL Tool']);
    const around = { entity: 'Skill', node_id: world.skillId, rel_types: ['USES_TOOL'] };
    const own = catalog.skills[0]?.tools.map((tool) => tool.toolId) ?? [];
    expect(idsIn(await run('explore_neighbors', around))).toEqual(expect.arrayContaining(own));
    const ends = {
      from: { entity: 'Agent', node_ids: [world.agentDefId] },
      to: { entity: 'Tool', node_ids: [toolId] },
    };
    expect((await run('find_paths', ends)).edges).toHaveLength(2);
    const figures = { nodes: [{ id: 't', entity: 'Tool' }], aggregations: [{ count: 't' }] };
    expect((await run('aggregate_nodes', figures)).rows).toEqual([{ count_t: all.length }]);
    const tool = { query_type: 'traversal', nodes: [{ id: 't', entity: 'Tool' }] };
    expect(idsIn(await run('query_graph', { query: tool }))).toEqual(all);
    const status = (await run('get_graph_status', {})) as unknown as Status;
    expect(countsIn(status)).toMatchObject({ Tool: all.length });
    expect(await run('get_tool', { name })).toMatchObject({ toolId });
    expect(await run('get_skill', { skillId: world.skillId })).toMatchObject({
      tools: own.map((id) => ({ toolId: id })),
    });
    const { items } = (await run('search_tools', { prompt: name })) as unknown as {
      readonly items: readonly { readonly id: string }[];
    };
    expect(items.map(({ id }) => id)).toContain(toolId);
    await client.close();
  });

  describe.each(['reader', 'free reader'])('as %s, HTTP', (who) => {
    const get = async <T>(path: string) => send<T>(tokens[who] ?? '', 'GET', path);
    const idsOf = async (path: string, id: string): Promise<string[]> => {
      const { body } = await get<{ items: readonly Record<string, string>[] }>(path);
      return sorted(body.items.map((item) => item[id] ?? ''));
    };

    it('lists the records of the catalog', async () => {
      const { Tool, Endpoint, ApiVersion, Api, Skill, Agent } = nodesOf();
      const seen = {
        Tool: await idsOf('/tools?active=all', 'toolId'),
        Endpoint: await idsOf('/endpoints?active=all', 'endpointId'),
        ApiVersion: await idsOf('/api-versions?active=all', 'apiVersionId'),
        Api: await idsOf('/apis?active=all', 'apiId'),
        Skill: await idsOf('/skills?active=all', 'skillId'),
        Agent: await idsOf('/agents?active=all', 'agentDefId'),
      };
      expect(seen).toEqual({ Tool, Endpoint, ApiVersion, Api, Skill, Agent });
    });

    it('lists what hangs on a skill as the catalog does', async () => {
      for (const { skillId, tools: given, dependsOn, workflows } of catalog.skills) {
        const below = `/skills/${skillId}`;
        expect({
          tools: await idsOf(`${below}/tools?active=all`, 'toolId'),
          dependsOn: await idsOf(`${below}/dependencies?active=all`, 'dependsOnSkillId'),
          workflows: await idsOf(`${below}/workflows?active=all`, 'wfDefId'),
        }).toEqual({
          tools: sorted(given.map(({ toolId }) => toolId)),
          dependsOn: sorted(dependsOn),
          workflows: sorted(workflows.map(({ wfDefId }) => wfDefId)),
        });
      }
    });

    it('gives each record of the catalog and no other', async () => {
      const { toolId, endpointId } = world.tool('open');
      const [{ apiVersionId, apiId } = { apiVersionId: '', apiId: '' }] = tools();
      const roads = (tool: string, endpoint: string): string[] => [
        ...['', '/params', '/taxonomy', '/impact'].map((end) => `/tools/${tool}${end}`),
        ...[`/endpoints/${endpoint}`, `/skills/${world.skillId}/tools/${tool}`],
      ];
      const statuses = async (paths: readonly string[]): Promise<number[]> => {
        const found: number[] = [];
        for (const path of paths) found.push((await get(path)).status);
        return [...new Set(found)];
      };
      const given = [...roads(toolId, endpointId), `/api-versions/${apiVersionId}`, `/apis/${apiId}`];
      expect(await statuses(given)).toEqual([200]);
      const others = reasons
        .map((reason) => world.tool(reason))
        .filter((other) => !tools().some((tool) => tool.toolId === other.toolId));
      expect(await statuses(others.flatMap((other) => roads(other.toolId, other.endpointId)))).toEqual([404]);
    });

    it('finds by search what the catalog holds', async () => {
      const { name, toolId } = world.tool('open');
      const found = await send<{ items: { id: string }[] }>(tokens[who] ?? '', 'POST', '/search', {
        prompt: name,
        kinds: ['tool'],
      });
      expect(found.body.items.map(({ id }) => id)).toContain(toolId);
    });
  });

  it('a write needs the service of the record all the same', async () => {
    const claims = { sid: registered.serviceId, agent_def_id: world.agentDefId };
    const writer = await server().token({ ...claims, scope: 'catalog:write catalog:admin' });
    const path = `/tools/${world.tool('open').toolId}`;
    expect((await send(writer, 'GET', path)).status).toBe(200);
    const refused = [
      await send(writer, 'PATCH', path, { description: 'Mine.' }),
      await send(writer, 'POST', `${path}/deactivate`),
      await send(writer, 'POST', `/endpoints/${world.tool('open').endpointId}/deactivate`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  it('a token of another service than the agent’s sees nothing', async () => {
    const claims = { sid: 'elsewhere', agent_def_id: world.agentDefId, scope: 'catalog:read' };
    const token = await server().token(claims);
    const lists = ['/tools', '/endpoints', '/skills', '/agents', '/apis', '/api-versions'];
    for (const path of lists) {
      expect([path, (await send(token, 'GET', path)).body]).toEqual([path, { items: [] }]);
    }
    const { body } = await send<Status>(token, 'GET', '/graph/status');
    expect([...new Set(Object.values(countsIn(body)))]).toEqual([0]);
  });
});
