/** An agent whose skill keeps to an older version of a tool reads that version at every door, and finds the tool by nothing else. */
import { type Given, keptVersionsWorld, newer, older, taking } from './kept-versions-world.js';
import { answersAtDoors } from './reading-doors.js';
import { everyServer } from './server.js';

type Listed = Readonly<Record<string, unknown>>;
const names = ['pinned', 'newest', 'both'] as const;

everyServer((server) => {
  const { ask, tools, ids, agentOf, agentTaking, scriptOf, publish, givenTo, graph, asking } =
    keptVersionsWorld(server);
  const all = (entity: string) => ({
    query_type: 'traversal',
    nodes: [{ id: 'a', entity, columns: '*' }],
    order_by: 'a.name',
  });

  it('is given the versions that its links take', async () => {
    const versions = names.map(async (name) =>
      (await givenTo(agentOf(name)))
        .map(({ toolId, version }) => `${toolId === tools.read ? 'endpoint' : 'script'} ${version}`)
        .sort(),
    );
    expect(await Promise.all(versions)).toEqual([
      ['endpoint 1.0.0', 'script 1.0.0'],
      ['endpoint 2.0.1', 'script 2.0.0'],
      ['endpoint 2.0.1', 'script 1.1.0'],
    ]);
  });

  const facts = ({ routingMetadata: routing, ...given }: Given) => ({
    ...{ name: given.name, version: given.version, description: given.description },
    ...{ domain: routing['domain'], semanticNamespace: routing['semanticNamespace'] },
    ...{ sensitivityTier: routing['sensitivityTier'], targetPersonas: routing['targetPersonas'] },
    ...{
      lifecycleStatus: given.lifecycleStatus,
      semanticWeight: expect.closeTo(Number(routing['semanticWeight']), 5) as number,
    },
  });

  it.each(names)('reads in lists, tools and params what its catalog discloses: %s', async (name) => {
    const agent = agentOf(name);
    const catalog = await givenTo(agent);
    expect(catalog).toHaveLength(2);
    const { items } = await ask<{ items: Listed[] }>('GET', '/tools', undefined, agent.token);
    const listed = catalog.map((given) => ({
      ...{ ...facts(given), toolId: given.toolId },
      category: given.routingMetadata['category'],
    }));
    expect(items).toMatchObject(listed);
    expect(items).toHaveLength(2);
    for (const [place, given] of catalog.entries()) {
      const path = `/tools/${given.toolId}`;
      const { category, semanticDescription, semanticKeywords, domain, targetPersonas } =
        given.routingMetadata;
      const routing =
        given.toolId === tools.read
          ? { category, semanticDescription, semanticKeywords, domain, targetPersonas }
          : {};
      expect(await ask('GET', path, undefined, agent.token)).toMatchObject({
        ...{ ...listed[place], inputSchema: given.inputSchema, params: given.params },
        responseSchema: given.outputSchema ?? null,
        toolMetadata: { safety: { destructive: given.safety['destructive'] }, routing },
        beneath: { description: given.description, routing },
      });
      const params = await ask('GET', `${path}/params`, undefined, agent.token);
      expect(params).toEqual({ items: given.params });
      for (const param of given.params)
        expect(await ask('GET', `${path}/params/${param.name}`, undefined, agent.token)).toEqual(param);
      if (given.endpointId === undefined) continue;
      expect(await ask('GET', `/endpoints/${given.endpointId}`, undefined, agent.token)).toMatchObject({
        ...{ description: given.description, category, inputSchema: given.inputSchema },
        ...{ outputSchema: given.outputSchema, toolMetadata: { routing } },
      });
    }
  });

  it.each(names)('reads in the graph what its catalog discloses: %s', async (name) => {
    const agent = agentOf(name);
    const catalog = await givenTo(agent);
    for (const [token, agentDefId] of asking(agent)) {
      const of = async (entity: string) => (await graph(all(entity), token, agentDefId)).nodes;
      const tools = catalog.map((given) => ({ id: given.toolId, ...facts(given) }));
      expect(await of('Tool')).toMatchObject(tools);
      const params = catalog.flatMap(({ toolId, params }) =>
        params.map((param, orderIndex) => ({
          ...{ toolId, name: param.name, description: param.description ?? null, orderIndex },
        })),
      );
      const found = await of('ToolParam');
      expect(found).toHaveLength(params.length);
      expect(found).toEqual(
        expect.arrayContaining(params.map((param) => expect.objectContaining(param) as unknown)),
      );
      const [given] = catalog.filter(({ endpointId }) => endpointId !== undefined);
      const costTier = given?.version === '1.0.0' ? older : newer;
      expect(await of('Endpoint')).toMatchObject([
        { id: given?.endpointId, description: given?.description, costTier },
      ]);
    }
  });

  it('walks and counts what its catalog discloses, and finds the version of each link', async () => {
    const pattern = (version?: string) => ({
      nodes: [
        { id: 's', entity: 'Skill' },
        { id: 't', entity: 'Tool', columns: ['version'], node_ids: [tools.read] },
      ],
      relationships: [{ type: 'USES_TOOL', from: 's', to: 't', ...(version && { filters: { version } }) }],
    });
    const walk = (hops: number) => ({
      query_type: 'neighbors',
      nodes: [{ id: 't', entity: 'Tool', columns: '*', node_ids: [tools.read] }],
      neighbors: { max_hops: hops },
      options: { dynamic_columns: '*' },
    });
    const counted = {
      ...{
        query_type: 'aggregation',
        nodes: [
          { id: 't', entity: 'Tool' },
          { id: 'p', entity: 'ToolParam' },
        ],
      },
      relationships: [{ type: 'HAS_PARAM', from: 't', to: 'p' }],
      ...{
        aggregations: [
          { count: 'p', as: 'params' },
          { collect: 'p.name', as: 'names' },
        ],
        group_by: ['t.version'],
      },
    };
    const path = (skillId = '') => ({
      query_type: 'path_finding',
      nodes: [
        { id: 's', entity: 'Skill', node_ids: [skillId] },
        { id: 'p', entity: 'ToolParam', columns: '*', filters: { name: `${older}Day` } },
      ],
      path: { from: 's', to: 'p' },
    });
    for (const [token, agentDefId] of asking(agentOf('pinned'))) {
      for (const query of [walk(1), walk(2), counted]) {
        const text = JSON.stringify(await graph(query, token, agentDefId));
        expect([text.includes(older), text.includes(newer)]).toEqual([true, false]);
      }
      const found = await graph({ query_type: 'traversal', ...pattern('1.0.0') }, token, agentDefId);
      expect(found.edges).toHaveLength(1);
      expect(found.nodes).toContainEqual({ type: 'Tool', id: tools.read, version: '1.0.0' });
      const other = await graph({ query_type: 'traversal', ...pattern('2.0.1') }, token, agentDefId);
      expect(other.nodes).toEqual([]);
      const [skillId] = agentOf('pinned').skillIds;
      expect((await graph(path(skillId), token, agentDefId)).edges).toHaveLength(2);
    }
    const { token, skillIds } = agentOf('both');
    for (const [version, place] of [
      ['1.0.0', 0],
      ['2.0.1', 1],
    ] as const) {
      const { edges } = await graph({ query_type: 'traversal', ...pattern(version) }, token);
      expect(edges.map(({ from_id }) => from_id)).toEqual([skillIds[place]]);
    }
    expect((await graph(counted, agentOf('newest').token)).rows).toEqual([
      { 't.version': '2.0.0', params: 1, names: [`${newer}Path`] },
      { 't.version': '2.0.1', params: 2, names: ['shop', `${newer}Day`] },
    ]);
  });

  it('finds tools and endpoints by the version that it is shown, and by no other', async () => {
    const lists = ['tools', 'endpoints', 'endpoints/facets'];
    const foundBy = async (agent: string, word: string) => {
      const { token } = agentOf(agent);
      const counts: number[] = [];
      for (const list of lists)
        for (const filter of ['q', 'category']) {
          const path = `/${list}?${new URLSearchParams({ apiId: ids.apiId, [filter]: word }).toString()}`;
          const { items, total } = await ask<{ items?: unknown[]; total?: number }>(
            'GET',
            path,
            undefined,
            token,
          );
          counts.push(items?.length ?? total ?? -1);
        }
      for (const [asker, agentDefId] of asking(agentOf(agent)))
        for (const [entity, property] of [
          ['Tool', 'description'],
          ['ToolParam', 'name'],
          ['Endpoint', 'costTier'],
        ]) {
          const filters = { [property ?? '']: { contains: word } };
          const query = { query_type: 'traversal', nodes: [{ id: 'a', entity, filters }] };
          const { nodes } = await graph(query, asker, agentDefId);
          counts.push(nodes.length > 0 ? 1 : 0);
        }
      return new Set(counts);
    };
    expect(await foundBy('pinned', older)).toEqual(new Set([1]));
    expect(await foundBy('pinned', newer)).toEqual(new Set([0]));
    expect(await foundBy('newest', newer)).toEqual(new Set([1]));
    expect(await foundBy('newest', older)).toEqual(new Set([0]));
    const heavy = async (agent: string) => {
      const path = `/tools?apiId=${ids.apiId}&minSemanticWeight=0.8`;
      return (await ask<{ items: unknown[] }>('GET', path, undefined, agentOf(agent).token)).items.length;
    };
    expect([await heavy('pinned'), await heavy('newest')]).toEqual([0, 1]);
  });

  it.each([
    ['pinned', newer, older],
    ['newest', older, newer],
  ])('is told at no door what another version says: %s', async (name, other, own) => {
    const { id, skillIds, token } = agentOf(name);
    const known = await ask<{ name: string }>('GET', `/tools/${tools.read}`);
    const answers = await answersAtDoors(server(), {
      names: {
        ...{ ...ids, agentDefId: id, skillId: skillIds[0] ?? '', toolId: tools.read, toolName: known.name },
        ...{ paramName: 'shop', serviceId: 'desk', envTag: 'dev', version: '1.0.0', language: 'typescript' },
        format: 'json',
      },
      token,
      prompts: [known.name, 'reads or finds'],
    });
    expect([...answers].filter(([, text]) => text.includes(other)).map(([door]) => door)).toEqual([]);
    expect([...answers.values()].filter((text) => text.includes(own)).length).toBeGreaterThan(10);
  });

  it('reads in a skill what the skill is given, whoever looks', async () => {
    const { id, skillIds, token } = agentOf('pinned');
    const skillId = skillIds[0] ?? '';
    const preview = `/skills/${skillId}/preview`;
    const looks: readonly (readonly [path: string, body: object, token?: string])[] = [
      [preview, {}],
      [preview, { agentDefId: id }],
      [preview, {}, token],
      ['/agent/commands/get_skill', { skillId }],
      ['/agent/commands/get_skill', { skillId }, token],
    ];
    for (const [path, body, asker] of looks) {
      const text = JSON.stringify(await ask('POST', path, body, asker));
      expect([path, text.includes(older), text.includes(newer)]).toEqual([path, true, false]);
    }
  });

  it('goes on with its list where a link comes to keep to an older version', async () => {
    const toolId = await scriptOf('Reads.', taking('path'));
    const { token } = await agentTaking([
      [
        [tools.read, '^2'],
        [toolId, '^1'],
      ],
    ]);
    const page = (cursor: string) =>
      ask<{ items: Listed[]; nextCursor?: string }>('GET', `/tools?limit=1${cursor}`, undefined, token);
    const first = await page('');
    await publish(toolId, '2.0.0', 'Other.', taking('from'));
    const second = await page(`&cursor=${first.nextCursor ?? ''}`);
    const shown = [...first.items, ...second.items].map((item) => [item['toolId'], item['version']]);
    expect(shown).toEqual(
      expect.arrayContaining([
        [tools.read, '2.0.1'],
        [toolId, '1.0.0'],
      ]),
    );
    expect(second.nextCursor).toBeUndefined();
  });

  it('scores the version that it is given, whatever the newest says', async () => {
    const toolId = await scriptOf('Tells what a thing costs.', taking('path'));
    const { token } = await agentTaking([[[toolId, '1.0.0']]]);
    const question = { prompt: 'a thing about insolvency and debts', kinds: ['tool'] };
    const found = async () => {
      await server().settled();
      return (await ask<{ items: Listed[] }>('POST', '/search', question, token)).items;
    };
    const shown = await found();
    expect(shown).toMatchObject([{ id: toolId, vectorScore: expect.any(Number) }]);
    await publish(toolId, '2.0.0', 'Tells of insolvency, bankruptcy and debts.', taking('path'));
    expect(await found()).toEqual(shown);
  });
});
