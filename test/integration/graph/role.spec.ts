import { runQuery } from '../../../src/graph/graph.queries.js';
import { readQuery } from '../../../src/graph/graph.lookup.js';
import { columnOf, nodeTypes, relationshipTypes } from '../../../src/graph/ontology.js';
import type { NodeType, Pair, Property, RelationshipType } from '../../../src/graph/ontology.types.js';
import { queryRole } from '../../../src/graph/sql/statement.sql.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { hostId, makeWorld, otherHostId, writeWorld } from './graph-world.js';

const types: readonly NodeType[] = nodeTypes;
const relationships: readonly RelationshipType[] = relationshipTypes;
const views = [
  ...types.flatMap(({ view, kept }) => [view, kept?.view ?? []].flat()),
  ...relationships.flatMap(({ pairs }) => pairs.flatMap((pair: Pair) => ('link' in pair ? [pair.link] : []))),
];

eachDatabase((open) => {
  let database: OpenDatabase;

  beforeAll(async () => {
    database = await open();
    await writeWorld(database, makeWorld());
  });

  const asRole = <Row extends object>(statement: string, host = hostId): Promise<Row[]> =>
    database.asOwner.transaction(async (tx) => {
      await tx.query(`SELECT set_config('app.host', $1, true), set_config('role', $2, true)`, [
        host,
        queryRole,
      ]);
      return tx.query<Row>(statement);
    });
  const codeOf = async (statement: string): Promise<unknown> =>
    asRole(statement).then(
      () => 'allowed',
      (error: unknown): unknown => Reflect.get(error as object, 'code'),
    );
  const relations = (kind: string) =>
    database.asOwner.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname IN ('catalog', 'public') AND c.relkind = $1`,
      [kind],
    );

  const firstColumnOf = async (table: string): Promise<string> => {
    const [row] = await database.asOwner.query<{ name: string }>(
      'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum = 1',
      [table],
    );
    return row?.name ?? '';
  };

  it('reads the views of the graph and nothing else', async () => {
    for (const { name } of await relations('r')) {
      expect([name, await codeOf(`SELECT 1 FROM ${name} LIMIT 1`)]).toEqual([name, '42501']);
    }
    for (const { name } of await relations('v')) {
      const expected = views.includes(name) ? 'allowed' : '42501';
      expect([name, await codeOf(`SELECT 1 FROM ${name} LIMIT 1`)]).toEqual([name, expected]);
    }
  });

  it('writes nothing', async () => {
    const refused = ['42501', '55000', '25006'];
    for (const view of views) {
      expect(refused).toContain(await codeOf(`DELETE FROM ${view}`));
    }
    for (const table of ['tool_t', 'skill_t', 'event_store_t', 'host_head_t']) {
      expect(await codeOf(`DELETE FROM ${table}`)).toBe('42501');
      expect(await codeOf(`INSERT INTO ${table} SELECT * FROM ${table}`)).toBe('42501');
    }
    for (const { name } of await relations('r')) {
      const column = await firstColumnOf(name);
      const update = `UPDATE ${name} SET ${column} = ${column}`;
      expect([name, await codeOf(update)]).toEqual([name, '42501']);
      expect([name, await codeOf(`TRUNCATE ${name}`)]).toEqual([name, '42501']);
    }
    for (const view of views) expect(refused).toContain(await codeOf(`UPDATE ${view} SET host_id = host_id`));
    for (const statement of [
      'CREATE TABLE mine (a int)',
      'CREATE SCHEMA mine',
      'CREATE TEMPORARY TABLE mine (a int)',
      'SELECT 1 AS a INTO TEMPORARY mine',
      `CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
      'CREATE SEQUENCE mine',
      'SELECT lo_create(0)',
      'SELECT lo_creat(-1)',
      `SELECT lo_from_bytea(0, 'mine')`,
      `SELECT lo_put(1, 0, 'mine')`,
      'SELECT lo_unlink(1)',
      `SELECT raise_walls('public')`,
      'SELECT close_to_public()',
      `COPY (SELECT 1) TO PROGRAM 'true'`,
    ]) {
      expect([statement, await codeOf(statement)]).toEqual([statement, '42501']);
    }
    const query = readQuery({ query_type: 'traversal', nodes: [{ id: 't', entity: 'Tool' }] });
    const scope = { hostId, services: 'all', environments: ['dev'], tiers: 'all' } as const;
    await runQuery(database, query, scope);
    // What a query ran as ends with its transaction.
    const [row] = await database.asOwner.query<{ role: string; host: string | null }>(
      `SELECT current_user::text AS role, nullif(current_setting('app.host', true), '') AS host`,
    );
    expect(row?.role).not.toBe(queryRole);
    expect(row?.host).toBeNull();
  });

  it('may call no function that does more than it may itself', async () => {
    const functions = await database.asOwner.query<{ name: string }>(
      `SELECT p.oid::regprocedure::text AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
       WHERE n.nspname IN ('catalog', 'public') AND p.prosecdef AND has_function_privilege($1, p.oid, 'EXECUTE')`,
      [queryRole],
    );
    expect(functions).toEqual([]);
    const [own] = await database.asOwner.query<{ definers: number }>(
      'SELECT count(*)::integer AS definers FROM pg_proc WHERE prosecdef',
    );
    expect(own?.definers).toBeGreaterThan(0);
  });

  it('sees one host: that of its transaction', async () => {
    for (const view of views) {
      const [elsewhere] = await asRole<{ n: number }>(`SELECT count(*) AS n FROM ${view}`, otherHostId);
      const [nowhere] = await asRole<{ n: number }>(`SELECT count(*) AS n FROM ${view}`, '');
      expect([view, elsewhere?.n, nowhere?.n]).toEqual([view, 0, 0]);
    }
    const [here] = await asRole<{ n: number }>('SELECT count(*) AS n FROM graph_tool');
    expect(here?.n).toBe(7);
  });

  it('every property has its column, of its type', async () => {
    const columns = await database.asOwner.query<{ view: string; name: string; type: string }>(
      `SELECT table_name AS view, column_name AS name, data_type AS type FROM information_schema.columns
       WHERE table_schema = 'catalog' AND table_name LIKE 'graph%'`,
    );
    const typeOf = (view: string, name: string) =>
      columns.find((column) => column.view === view && column.name === name)?.type;
    const names: Readonly<Record<Property['sqlType'], string>> = {
      ...{ uuid: 'uuid', text: 'text', integer: 'integer', boolean: 'boolean', 'text[]': 'ARRAY' },
      ...{ 'double precision': 'double precision', timestamptz: 'timestamp with time zone' },
    };
    const kept: (readonly [string, Property])[] = [
      ...types.flatMap(({ view, properties }) => properties.map((property) => [view, property] as const)),
      ...relationships.flatMap(({ pairs, properties }) =>
        pairs.flatMap((pair: Pair) =>
          'link' in pair ? properties.map((property) => [pair.link, property] as const) : [],
        ),
      ),
    ];
    for (const [view, property] of kept) {
      expect([view, property.name, typeOf(view, columnOf(property))]).toEqual([
        view,
        property.name,
        names[property.sqlType],
      ]);
    }
    for (const { view, byService, byTier } of types) {
      if (byService === true) expect(typeOf(view, 'env_tag')).toBe('text');
      if (byTier === true) expect(typeOf(view, 'sensitivity_tier')).toBe('text');
    }
  });
});
