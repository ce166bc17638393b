import type { GraphAnswer } from '../../../src/graph/answering/response-format.js';
import { runQuery } from '../../../src/graph/graph.queries.js';
import { readQuery } from '../../../src/graph/graph.lookup.js';
import type { GraphScope } from '../../../src/graph/graph-scopes.service.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { hostId, makeWorld, writeWorld } from './graph-world.js';

const open: GraphScope = { hostId, services: 'all', environments: ['dev'], tiers: 'all' };

eachDatabase((openDatabase) => {
  let database: OpenDatabase;
  const world = makeWorld();
  const child = world.nodes.find(({ type, parentSkillId }) => type === 'Skill' && parentSkillId !== null);
  const [childId, parentId] = [child?.id ?? '', String(child?.['parentSkillId'])];
  const asAgent: GraphScope = {
    ...open,
    within: { nodes: new Map([['Skill', [childId]]]), edges: new Map(), kept: new Map() },
  };

  beforeAll(async () => {
    database = await openDatabase();
    await writeWorld(database, world);
  });

  const ask = (query: object, scope: GraphScope): Promise<GraphAnswer> =>
    runQuery(database, readQuery(query), scope);
  const skills = (more: object = {}): object => ({
    query_type: 'traversal',
    nodes: [{ id: 's', entity: 'Skill', columns: ['parentSkillId'], node_ids: [childId], ...more }],
  });

  it('tells no id of what is withheld, however it is asked for', async () => {
    const one = (parentSkillId: string | null) => [{ type: 'Skill', id: childId, parentSkillId }];
    expect((await ask(skills(), open)).nodes).toEqual(one(parentId));
    expect((await ask(skills(), asAgent)).nodes).toEqual(one(null));
    for (const [filter, seen, unseen] of [
      [{ eq: parentId }, 1, 0],
      [{ in: [parentId, childId] }, 1, 0],
      [{ is_not_null: true }, 1, 0],
      [{ is_null: true }, 0, 1],
    ] as const) {
      const query = skills({ filters: { parentSkillId: filter } });
      expect((await ask(query, open)).nodes).toHaveLength(seen);
      expect((await ask(query, asAgent)).nodes).toHaveLength(unseen);
    }
    const grouped = {
      query_type: 'aggregation',
      nodes: [{ id: 's', entity: 'Skill', columns: ['parentSkillId'], node_ids: [childId] }],
      aggregations: [
        { count: 's.parentSkillId', as: 'parents' },
        { min: 's.parentSkillId', as: 'least' },
        { collect: 's.parentSkillId', as: 'all' },
      ],
      group_by: ['s.parentSkillId', 's'],
    };
    const node = (parentSkillId: string | null) => ({
      type: 'Skill',
      id: childId,
      properties: { parentSkillId },
    });
    expect((await ask(grouped, open)).rows).toEqual([
      { 's.parentSkillId': parentId, s: node(parentId), parents: 1, least: parentId, all: [parentId] },
    ]);
    expect((await ask(grouped, asAgent)).rows).toEqual([
      { 's.parentSkillId': null, s: node(null), parents: 0, least: null, all: [] },
    ]);
    const ordered = { ...skills(), order_by: '-s.parentSkillId', cursor: { page_size: 1 } };
    expect(JSON.stringify(await ask(ordered, asAgent))).not.toContain(parentId);
    const around = {
      query_type: 'neighbors',
      nodes: [{ id: 's', entity: 'Skill', columns: '*', node_ids: [childId] }],
      neighbors: {},
      options: { dynamic_columns: '*' },
    };
    expect(JSON.stringify(await ask(around, open))).toContain(parentId);
    expect(JSON.stringify(await ask(around, asAgent))).not.toContain(parentId);
  });

  it('has gateways for administrators alone', async () => {
    const gateway = world.nodes.find(({ type }) => type === 'Gateway');
    const edge = world.edges.find(({ type, from }) => type === 'EXPOSES' && from === gateway?.id);
    const queries = [
      { query_type: 'traversal', nodes: [{ id: 'g', entity: 'Gateway', node_ids: [gateway?.id] }] },
      {
        query_type: 'traversal',
        nodes: [
          { id: 'g', entity: 'Gateway', node_ids: [gateway?.id] },
          { id: 't', entity: 'Tool' },
        ],
        relationships: [{ type: 'EXPOSES', from: 'g', to: 't' }],
      },
      {
        query_type: 'neighbors',
        nodes: [{ id: 't', entity: 'Tool', node_ids: [edge?.to] }],
        neighbors: { rel_types: ['EXPOSES'] },
      },
    ];
    for (const query of queries) {
      expect(JSON.stringify(await ask(query, { ...open, administers: true }))).toContain(gateway?.id);
      expect(JSON.stringify(await ask(query, open))).not.toContain(gateway?.id);
    }
    const unexposed = {
      query_type: 'aggregation',
      nodes: [{ id: 't', entity: 'Tool', without: [{ type: 'EXPOSES', direction: 'incoming' }] }],
      aggregations: [{ count: 't', as: 'n' }],
    };
    const all = world.nodes.filter(({ type }) => type === 'Tool').length;
    expect((await ask(unexposed, open)).rows).toEqual([{ n: all }]);
  });

  it('tells a tool without its endpoint, where only that lies above the tier', async () => {
    const tool = world.nodes.find(
      ({ type, sensitivityTier }) => type === 'Tool' && sensitivityTier === 'internal',
    );
    const endpointId = String(tool?.['endpointId']);
    await database.asOwner.query(
      `UPDATE api_endpoint_t SET sensitivity_tier = 'restricted' WHERE endpoint_id = $1`,
      [endpointId],
    );
    const query = {
      query_type: 'traversal',
      nodes: [{ id: 't', entity: 'Tool', columns: ['endpointId'], node_ids: [tool?.id] }],
    };
    expect((await ask(query, open)).nodes).toEqual([{ type: 'Tool', id: tool?.id, endpointId }]);
    const lower: GraphScope = { ...open, tiers: ['public', 'internal'] };
    expect((await ask(query, lower)).nodes).toEqual([{ type: 'Tool', id: tool?.id, endpointId: null }]);
  });
});
