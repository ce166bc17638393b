import type { GraphAnswer } from '../../../src/graph/answering/response-format.js';
import { runQuery } from '../../../src/graph/graph.queries.js';
import { readQuery } from '../../../src/graph/graph.lookup.js';
import type { GraphScope } from '../../../src/graph/graph-scopes.service.js';
import { timeIsOver } from '../../../src/graph/sql/statement.sql.js';
import { traversalStatement } from '../../../src/graph/sql/traversal.sql.js';
import { writeCursor } from '../../../src/graph/sql/cursor.js';
import { Invalid } from '../../../src/kernel/errors.js';
import { sqlState } from '../../../src/kernel/sql.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { hostId, makeWorld, writeWorld } from './graph-world.js';

const everything: GraphScope = { hostId, services: 'all', environments: ['dev'], tiers: 'all' };
/** However busy the machine is, all is counted. */
const unhurried = { countTimeout: 5_000 };
const many = 11_050;
/** Skills and categories on either side of one tool: each pair is a path of two steps. */
const wide = 80;

async function widen(database: OpenDatabase, toolId: string): Promise<void> {
  const copies = async (table: string, key: string, count: number, more: string): Promise<void> => {
    await database.asOwner.query(
      `INSERT INTO ${table} SELECT r.* FROM generate_series(1, $1::integer) n,
         LATERAL jsonb_populate_record(NULL::${table},
           (SELECT to_jsonb(t) FROM ${table} t ORDER BY t.${key} LIMIT 1) || ${more}) r`,
      [count],
    );
  };
  const numbered = (kind: string): string => `('00000000-0000-4000-${kind}-' || lpad(n::text, 12, '0'))`;
  await copies(
    'tag_t',
    'tag_id',
    many,
    `jsonb_build_object('tag_id', ${numbered('a000')}, 'tag_name', 'tag ' || n)`,
  );
  await copies(
    'category_t',
    'category_id',
    wide,
    `jsonb_build_object('category_id', ${numbered('b000')}, 'category_name', 'wide ' || n)`,
  );
  await copies(
    'entity_category_t',
    'category_id',
    wide,
    `jsonb_build_object('category_id', ${numbered('b000')}, 'entity_id', '${toolId}')`,
  );
  await copies(
    'skill_t',
    'skill_id',
    wide,
    `jsonb_build_object('skill_id', ${numbered('8000')}, 'name', 'wide ' || n, 'parent_skill_id', NULL,
       'description', repeat('ü', 3500) || n, 'content_markdown', repeat('long ', 20000))`,
  );
  await copies(
    'skill_tool_t',
    'skill_id',
    wide,
    `jsonb_build_object('skill_id', ${numbered('8000')}, 'tool_id', '${toolId}')`,
  );
}

eachDatabase((open) => {
  let database: OpenDatabase;
  const world = makeWorld();
  const toolId = world.nodes.find(({ type }) => type === 'Tool')?.id ?? '';

  beforeAll(async () => {
    database = await open();
    await writeWorld(database, world);
    await widen(database, toolId);
  });

  const ask = (query: object): Promise<GraphAnswer> =>
    runQuery(database, readQuery(query), everything, unhurried);

  async function pagesOf(query: object, most: number, size = 1000): Promise<GraphAnswer[]> {
    const pages: GraphAnswer[] = [];
    let after: string | undefined;
    do {
      const page = await ask({
        ...query,
        cursor: { page_size: size, ...(after !== undefined && { after }) },
      });
      pages.push(page);
      after = page.pagination.next_cursor;
    } while (after !== undefined && pages.length < most);
    return pages;
  }

  it('ends, and gives each group once, however many there are', async () => {
    const query = {
      query_type: 'aggregation',
      nodes: [{ id: 't', entity: 'Tag' }],
      aggregations: [{ count: 't' }],
      group_by: ['t.id'],
    };
    const pages = await pagesOf(query, 20);
    const ids = pages.flatMap(({ rows = [] }) => rows.map((row) => String(row['t.id'])));
    expect(ids).toHaveLength(many + 2);
    expect(new Set(ids).size).toBe(many + 2);
    expect(pages.at(-1)?.pagination.has_more).toBe(false);
    expect(new Set(pages.map(({ pagination }) => pagination.total_rows))).toEqual(new Set([many + 2]));
  });

  it('gives every path once and in one order, however many there are', async () => {
    const query = {
      query_type: 'path_finding',
      nodes: [
        { id: 's', entity: 'Skill', filters: { name: { starts_with: 'wide' } } },
        { id: 'c', entity: 'Category', filters: { name: { starts_with: 'wide' } } },
      ],
      path: { from: 's', to: 'c' },
    };
    const pages = await pagesOf(query, 20);
    const paths = pages.flatMap(({ edges }) => {
      const byPath = new Map<number, string[]>();
      for (const { path_id = -1, from_id, to_id } of edges) {
        byPath.set(path_id, [...(byPath.get(path_id) ?? []), from_id, to_id]);
      }
      return [...byPath].map(([place, ids]) => [place, ids.join(' ')] as const);
    });
    expect(paths.map(([place]) => place)).toEqual(paths.map((_, index) => index));
    const texts = paths.map(([, text]) => text);
    expect(texts).toHaveLength(wide * wide);
    expect(pages.every(({ pagination }) => pagination.total_rows === wide * wide)).toBe(true);
    expect(texts).toEqual([...new Set(texts)].sort());
  });

  const wideSkills = (id: string, more: object = {}) => ({
    ...{ id, entity: 'Skill', filters: { name: { starts_with: 'wide' } } },
    ...more,
  });

  it('gives no more nodes than the limit, wherever a neighbourhood or a search begins', async () => {
    const around = {
      query_type: 'neighbors',
      nodes: [wideSkills('s')],
      neighbors: { rel_types: ['USES_TOOL'] },
    };
    const pages = await pagesOf(around, 20, 7);
    expect(pages.every(({ nodes }) => nodes.length <= 7)).toBe(true);
    expect(pages.every(({ pagination }) => pagination.total_rows === wide + 1)).toBe(true);
    const ids = pages.flatMap(({ nodes }) => nodes.map(({ id }) => id));
    expect(ids).toHaveLength(wide + 1);
    expect(ids.at(-1)).toBe(toolId);
    expect(new Set(ids).size).toBe(wide + 1);
    expect(pages.flatMap(({ edges }) => edges.map(({ from_id }) => from_id)).sort()).toEqual(
      ids.slice(0, wide).sort(),
    );
    const same = {
      query_type: 'path_finding',
      nodes: [wideSkills('a'), wideSkills('b')],
      path: { from: 'a', to: 'b' },
    };
    const met = await pagesOf(same, 20, 7);
    expect(met.every(({ nodes, pagination }) => nodes.length <= 7 && pagination.page_rows <= 7)).toBe(true);
    expect(met.every(({ pagination }) => pagination.total_rows === wide)).toBe(true);
    expect(new Set(met.flatMap(({ nodes }) => nodes.map(({ id }) => id))).size).toBe(wide);
  });

  const pairs = {
    query_type: 'traversal',
    nodes: [
      { id: 's', entity: 'Skill', columns: ['name'], filters: { name: { starts_with: 'wide' } } },
      { id: 't', entity: 'Tool', node_ids: [toolId] },
      { id: 'c', entity: 'Category', columns: ['name'], filters: { name: { starts_with: 'wide' } } },
    ],
    relationships: [
      { type: 'USES_TOOL', from: 's', to: 't' },
      { type: 'IN_CATEGORY', from: 't', to: 'c' },
    ],
  };

  it('counts all matches with the first page, and carries their number in the cursor', async () => {
    const statements: string[] = [];
    const first = readQuery({ ...pairs, limit: 1000 });
    const { pagination } = await runQuery(database, first, everything, { statements, ...unhurried });
    expect(pagination).toMatchObject({ has_more: true, page_rows: 1000, total_rows: wide * wide });
    expect(statements).toHaveLength(2);
    const cursor = { page_size: 1000, after: pagination.next_cursor };
    const further: string[] = [];
    const second = await runQuery(database, readQuery({ ...pairs, cursor }), everything, {
      statements: further,
    });
    expect(second.pagination).toMatchObject({ has_more: true, page_rows: 1000, total_rows: wide * wide });
    expect(further).toHaveLength(1);
    const pages = await pagesOf(pairs, 20);
    expect(pages.map(({ pagination: each }) => each.total_rows)).toEqual(Array(7).fill(wide * wide));
  });

  it('says how many there are at least where it has not counted them all', async () => {
    const query = { query_type: 'traversal', nodes: [{ id: 't', entity: 'Tag' }] };
    const totals = (await pagesOf(query, 20)).map(({ pagination: { total_rows, total_at_least } }) => [
      total_rows,
      total_at_least,
    ]);
    expect(totals).toEqual([
      ...Array.from({ length: 10 }, () => [null, 10_001]),
      [null, 11_001],
      [many + 2, undefined],
    ]);
  });

  it('answers without the total where counting takes too long', async () => {
    const query = readQuery({ ...pairs, limit: 10 });
    const { pagination } = await runQuery(database, query, everything, { countTimeout: 1 });
    expect(pagination).toMatchObject({ has_more: true, page_rows: 10, total_rows: null, total_at_least: 11 });
    const cursor = { page_size: 10, after: pagination.next_cursor };
    const second = await ask({ ...pairs, cursor });
    expect(second.pagination).toMatchObject({ page_rows: 10, total_rows: null, total_at_least: 21 });
  });

  it('counts a neighbourhood to its end, also where the page is full before', async () => {
    const query = {
      query_type: 'neighbors',
      nodes: [{ id: 'c', entity: 'Category', filters: { name: 'wide 1' } }],
      neighbors: { rel_types: ['IN_CATEGORY', 'USES_TOOL'], max_hops: 2, node_types: ['Skill', 'Tool'] },
    };
    const whole = await ask({ ...query, limit: 1000 });
    expect(whole.pagination.total_rows).toBeGreaterThan(wide);
    const pages = await pagesOf(query, 200, 1);
    expect(new Set(pages.map(({ pagination }) => pagination.total_rows))).toEqual(
      new Set([whole.pagination.total_rows]),
    );
    const edgesOf = (answers: readonly GraphAnswer[]) =>
      answers.flatMap(({ edges }) => edges.map((edge) => JSON.stringify(edge))).sort();
    expect(edgesOf(pages)).toEqual(edgesOf([whole]));
  });

  it('gives cursors that can be sent back, however long what is ordered by', async () => {
    for (const order_by of ['s.description', '-s.contentMarkdown']) {
      const query = { query_type: 'traversal', nodes: [wideSkills('s', { columns: ['name'] })], order_by };
      const pages = await pagesOf(query, 20, 30);
      const names = pages.flatMap(({ nodes }) => nodes.map(({ name }) => name));
      expect([names.length, new Set(names).size]).toEqual([wide, wide]);
    }
  });

  it('reads a long text once, and none of them where all are too much for an answer', async () => {
    const columns = ['contentMarkdown'];
    const query = readQuery({
      query_type: 'traversal',
      nodes: [
        wideSkills('s', { columns, filters: { name: 'wide 1' } }),
        { id: 't', entity: 'Tool', node_ids: [toolId] },
        { id: 'c', entity: 'Category', columns: ['name'] },
      ],
      relationships: [
        { type: 'USES_TOOL', from: 's', to: 't' },
        { type: 'IN_CATEGORY', from: 't', to: 'c' },
      ],
      limit: 1000,
    });
    if (query.kind !== 'traversal') throw new Error('It is a traversal.');
    const { text, values } = traversalStatement(query, everything);
    const rows = await database.of(hostId).query<{ n0_content_markdown: string | null }>(text, values);
    expect(rows.length).toBeGreaterThan(wide);
    expect(rows.filter((row) => row.n0_content_markdown !== null)).toHaveLength(1);
    const { nodes } = await runQuery(database, query, everything);
    expect(nodes.find(({ type }) => type === 'Skill')?.['contentMarkdown']).toHaveLength(100_000);
    for (const large of [
      { query_type: 'traversal', nodes: [wideSkills('s', { columns })], limit: 1000 },
      { query_type: 'neighbors', nodes: [wideSkills('s', { columns })], neighbors: {}, limit: 1000 },
      {
        ...{ query_type: 'aggregation', nodes: [wideSkills('s', { columns })], limit: 1000 },
        ...{ aggregations: [{ count: 's' }], group_by: ['s'] },
      },
    ]) {
      await expect(ask(large)).rejects.toMatchObject({ code: 'graph_answer_too_large' });
    }
  });

  it('ends where its time is over', async () => {
    const query = readQuery({
      query_type: 'traversal',
      nodes: [
        ...['a', 'b'].map((id) => ({ id, entity: 'Category', columns: ['name'] })),
        ...['c', 'd'].map((id) => ({ id, entity: 'Skill', columns: ['name'] })),
        { id: 't', entity: 'Tool', node_ids: [toolId] },
      ],
      relationships: [
        ...['a', 'b'].map((to) => ({ type: 'IN_CATEGORY', from: 't', to })),
        ...['c', 'd'].map((from) => ({ type: 'USES_TOOL', from, to: 't' })),
      ],
      order_by: '-b.name',
    });
    const ended: unknown = await runQuery(database, query, everything, { timeout: 200 }).catch(
      (error: unknown) => error,
    );
    expect(timeIsOver).toContain(sqlState(ended));
  });

  it('refuses a cursor that no page gave', async () => {
    const queries = [
      { query_type: 'aggregation', nodes: [{ id: 't', entity: 'Tag' }], aggregations: [{ count: 't' }] },
      { query_type: 'neighbors', nodes: [{ id: 't', entity: 'Tool', node_ids: [toolId] }], neighbors: {} },
      {
        query_type: 'path_finding',
        nodes: [
          { id: 'a', entity: 'Tool', node_ids: [toolId] },
          { id: 'b', entity: 'Api' },
        ],
        path: { from: 'a', to: 'b' },
      },
    ];
    const tags = { query_type: 'traversal', nodes: [{ id: 't', entity: 'Tag' }] };
    const id = '00000000-0000-4000-a000-000000000001';
    // The second is how cursors were written before they carried a count.
    for (const values of [[], [id], [-1, 5, true, id], [1, 'many', true, id], [1, 5, 'yes', id]]) {
      const asked = ask({ ...tags, cursor: { after: writeCursor(readQuery(tags).digest, values) } });
      await expect(asked).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
    for (const query of queries) {
      const { digest } = readQuery(query);
      for (const place of [-1, 1.5, 2 ** 31, 'ten', null, true]) {
        const asked = ask({ ...query, cursor: { after: writeCursor(digest, [place]) } });
        await expect(asked).rejects.toThrow(Invalid);
        await expect(asked).rejects.toMatchObject({ code: 'invalid_cursor' });
      }
    }
  });
});
