import fc from 'fast-check';
import { Invalid } from '../../../src/kernel/errors.js';
import { runQuery } from '../../../src/graph/graph.queries.js';
import { readQuery } from '../../../src/graph/graph.lookup.js';
import type { GraphScope } from '../../../src/graph/graph-scopes.service.js';
import { columnOf, nodeTypes, relationshipTypes } from '../../../src/graph/ontology.js';
import type { NodeType, Pair, RelationshipType } from '../../../src/graph/ontology.types.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { eachDatabase } from '../databases.js';
import { Chooser } from './chooser.js';
import { agentScope } from './confined-world.js';
import { hostId, makeWorld, otherHostId, writeWorld } from './graph-world.js';
import { randomQuery } from './random-query.js';
import { many } from '../../soak.js';

const everything: GraphScope = { hostId, services: 'all', environments: ['dev'], tiers: 'all' };
const world = makeWorld();
const scopes = [
  everything,
  { ...everything, services: ['s1'], tiers: ['public', 'internal'] } as const,
  agentScope(world, everything),
];
const scope = fc.constantFrom<GraphScope>(...scopes);
const types: readonly NodeType[] = nodeTypes;
const relationships: readonly RelationshipType[] = relationshipTypes;
/** In a soak; fewer on the embedded database, which is slower. */
const runsOn = (kind: string): number => (kind === 'server' ? 10_000 : 2_000);

const evil = [
  "'; DROP TABLE tool_t; --",
  'graph_tool"; DELETE FROM skill_t; --',
  'name) OR 1=1 --',
  'pg_sleep(10)',
  '$1',
  '${x}',
  'tool_t',
  'event_store_t',
  '__proto__',
  'constructor',
  '\\',
  '%',
  "E'\\''",
  't.name; SELECT 1',
  'n0.id',
  '1e999',
  '',
  'Tool ',
  'toString',
  '\ud800',
  'a\0b',
];
const value = fc.oneof(
  fc.constantFrom<unknown>(...evil),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(-1, 0, 1e308, null, true, [], {}, { eq: "' OR ''='" }, { $gt: '' }, [[]]),
);
const numbers = fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 60 });

/** A valid query with one or two of its members, at any depth, replaced, added or renamed. */
const mutated = fc
  .tuple(numbers, fc.array(fc.tuple(fc.nat(), value, fc.nat(2)), { minLength: 1, maxLength: 2 }))
  .map(([choices, changes]) => {
    const query = structuredClone(randomQuery(new Chooser(choices), world)) as Record<string, unknown>;
    for (const [place, change, how] of changes) mutate(query, place, structuredClone(change), how);
    // What a client can send: `__proto__` is a member there, and a list has no members but its own.
    return JSON.parse(JSON.stringify(query)) as unknown;
  });

function mutate(root: object, place: number, change: unknown, how: number): void {
  const places: (readonly [object, string])[] = [];
  const visit = (each: object): void => {
    for (const [name, member] of Object.entries(each)) {
      places.push([each, name]);
      if (typeof member === 'object' && member !== null) visit(member as object);
    }
  };
  visit(root);
  const [holder, name] = places[place % places.length] ?? [root, 'query_type'];
  const put = (member: string, value: unknown): void => {
    Object.defineProperty(holder, member, { value, enumerable: true, writable: true, configurable: true });
  };
  if (how === 0) put(name, change);
  else if (how === 1 && typeof change === 'string') {
    put(change, structuredClone(Reflect.get(holder, name)));
  } else put(`${name}x`, change);
}

/** Every word that may stand in SQL: ours, and those of the ontology. */
const grammar = `select from where and or not exists is null any in as order by desc nulls last limit offset lateral union
  all collate array text uuid integer double precision boolean timestamptz distinct group filter count sum avg min max
  array_agg bool_and bool_or date_trunc strpos starts_with right length lower regexp_replace string_to_array unnest jsonb_build_object true
  false walk walk_ids order_key step shown start_id end_id id service_id env_tag sensitivity_tier from_id to_id g u0001 u0060 u007f
  minute hour day week month quarter year c case when then else end coalesce octet_length pg_column_size row_number over
  partition place long_bytes host_id clock_timestamp current_setting app graph_until left total`;
const vocabulary = new Set([
  ...grammar.split(/\s+/),
  ...types.map(({ view }) => view),
  ...relationships.flatMap(({ pairs }) =>
    pairs.map((pair: Pair) => ('link' in pair ? pair.link : pair.reference)),
  ),
  ...[...types, ...relationships].flatMap(({ properties }) => properties.map(columnOf)),
]);
const ownAlias =
  /^(n\d+|r\d?|p\d|l\d?|[eiqswx]|[ga]\d+(_[a-z_]+)?|v\d(_[a-z_]+)?|n\d_[a-z_]+|r\d_(walk|ids))$/;

function strangers(statement: string): string[] {
  const words = statement.toLowerCase().match(/[a-z_][a-z0-9_]*/g) ?? [];
  return words.filter((word) => !vocabulary.has(word) && !ownAlias.test(word));
}

eachDatabase((open, kind) => {
  let database: OpenDatabase;
  const runs = runsOn(kind);
  let state: string;

  const stateOf = async (): Promise<string> => {
    const tables = ['tool_t', 'skill_t', 'event_store_t', 'agent_definition_t', 'skill_tool_t'];
    const rows = await Promise.all(
      tables.map((table) =>
        database.asOwner.query(
          `SELECT count(*) AS n, md5(string_agg(t::text, '' ORDER BY t::text)) AS sum FROM ${table} t`,
        ),
      ),
    );
    return JSON.stringify(rows);
  };

  beforeAll(async () => {
    database = await open();
    await writeWorld(database, world);
    await writeWorld(database, { nodes: world.nodes.slice(0, 12), edges: [] }, otherHostId);
    state = await stateOf();
  });

  async function isHarmless(json: unknown, asked: GraphScope): Promise<'refused' | 'answered'> {
    let query;
    try {
      query = readQuery(json);
    } catch (error) {
      expect(error).toBeInstanceOf(Invalid);
      return 'refused';
    }
    const sent: string[] = [];
    try {
      await runQuery(database, query, asked, { statements: sent });
    } catch (error) {
      // What the database says of a value or a page, never of a name or the syntax.
      if (!(error instanceof Invalid)) expect(Reflect.get(error as object, 'code')).toMatch(/^22/);
      return 'refused';
    } finally {
      expect(sent.flatMap(strangers)).toEqual([]);
    }
    return 'answered';
  }

  it('refuses hostile queries, or they do no harm', async () => {
    let answered = 0;
    const hostile = fc.oneof({ weight: 3, arbitrary: mutated }, { weight: 1, arbitrary: value });
    await fc.assert(
      fc.asyncProperty(hostile, scope, async (json, asked) => {
        if ((await isHarmless(json, asked)) === 'answered') answered += 1;
      }),
      many(runs),
    );
    expect(answered).toBeGreaterThan(0);
    expect(await stateOf()).toBe(state);
  });

  it('lets no name into SQL but those of the ontology', async () => {
    const property = fc.asyncProperty(numbers, scope, async (choices, asked) => {
      await isHarmless(randomQuery(new Chooser(choices), world), asked);
    });
    await fc.assert(property, many(500));
    expect(strangers('SELECT n0.id FROM tool_t n0')).toEqual(['tool_t']);
  });
});
