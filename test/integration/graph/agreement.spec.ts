import fc from 'fast-check';
import type { GraphAnswer } from '../../../src/graph/answer.types.js';
import { runQuery } from '../../../src/graph/graph.queries.js';
import { readQuery } from '../../../src/graph/graph-query.service.js';
import type { GraphScope } from '../../../src/graph/graph.scope.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { Invalid } from '../../../src/eventsourcing/errors.js';
import { querySchema, type QueryText } from '../../../src/graph/query.schema.js';
import { jsonValidator } from '../../../src/platform/validation/validator.js';
import { eachDatabase } from '../databases.js';
import { compare, Evaluator, type Match } from './evaluator.js';
import { hostId, makeWorld, otherHostId, writeWorld, type WorldNode } from './graph-world.js';
import { Chooser, randomQuery } from './random-query.js';

type Json = Readonly<Record<string, unknown>>;
const everything: GraphScope = { hostId, services: 'all', environments: ['dev'], tiers: 'all' };
const fillIn = jsonValidator(querySchema);
const world = makeWorld();
const evaluator = new Evaluator(world);
const numbers = fc.array(fc.nat(1_000_000), { minLength: 40, maxLength: 40 });
/** In all 10,000 and more: on one database where there is one, else shared. */
const runs = process.env['TEST_DATABASE_URL'] === undefined ? 10_000 : 5_000;

const keyOf = ({ type, id }: { readonly type: string; readonly id: string }): string => `${type} ${id}`;
const keys = (nodes: Iterable<WorldNode>): string[] => [...new Set([...nodes].map(keyOf))].sort();

function edgesOf(matches: readonly { readonly walks: Match['walks'] }[]): string[] {
  const edges = matches.flatMap(({ walks }) =>
    walks.flat().map(({ edge }) => `${edge.type} ${edge.from} ${edge.to}`),
  );
  return [...new Set(edges)].sort();
}
const answerEdges = ({ edges }: GraphAnswer): string[] =>
  [...new Set(edges.map(({ type, from_id, to_id }) => `${type} ${from_id} ${to_id}`))].sort();

function expectTraversal(query: QueryText, answer: GraphAnswer): void {
  const matches = evaluator.matches(query);
  expect(answer.pagination.total_rows).toBe(Math.min(matches.length, 1000));
  if (matches.length > 1000) return;
  const passed = matches.flatMap(({ nodes, walks }) => [...nodes, ...walks.flat().map(({ to }) => to)]);
  expect(answer.nodes.map(keyOf).sort()).toEqual(keys(passed));
  expect(answerEdges(answer)).toEqual(edgesOf(matches));
  if (query.nodes.length > 1) return;
  expect(answer.nodes.map(({ id }) => id)).toEqual(ordered(query, matches).map(({ id }) => id));
}

function ordered({ order_by = '' }: QueryText, matches: readonly Match[]): WorldNode[] {
  const name = order_by.split('.')[1] ?? 'id';
  const sign = order_by.startsWith('-') ? -1 : 1;
  return matches
    .flatMap(({ nodes }) => nodes.slice(0, 1))
    .sort((a, b) => {
      const [left, right] = [a[name] ?? null, b[name] ?? null];
      const nulls = Number(left === null) - Number(right === null);
      const order = left === null || right === null ? nulls : sign * compare(left, right);
      return order || compare(a.id, b.id);
    });
}

function expectAggregation(query: QueryText, answer: GraphAnswer): void {
  const at = (match: Match, alias: string) =>
    match.nodes[query.nodes.findIndex(({ id }) => id === alias)] as WorldNode;
  const valueOf = (match: Match, reference: string): unknown => {
    const [alias = '', property = 'id'] = reference.split('.');
    return at(match, alias)[property] ?? null;
  };
  const groups = new Map<string, Match[]>();
  const references = query.group_by as unknown as string[];
  for (const match of evaluator.matches(query)) {
    const key = JSON.stringify(references.map((reference) => valueOf(match, reference)));
    groups.set(key, [...(groups.get(key) ?? []), match]);
  }
  if (references.length === 0 && groups.size === 0) groups.set('[]', []);
  const expected = [...groups].map(([key, matches]) => [key, figures(query, matches, at)]);
  const given = (answer.rows ?? []).map((row) => {
    const key = references.map((reference) => {
      const value = row[reference];
      return typeof value === 'object' && value !== null ? (value as { id: string }).id : value;
    });
    const named = (query.aggregations ?? []).map(({ as = '' }) => [as, rounded(row[as])]);
    return [JSON.stringify(key), Object.fromEntries(named) as Json] as const;
  });
  expect(Object.fromEntries(given)).toEqual(Object.fromEntries(expected));
}

function figures(
  query: QueryText,
  matches: readonly Match[],
  at: (match: Match, alias: string) => WorldNode,
): Json {
  return Object.fromEntries(
    (query.aggregations ?? []).map(({ as = '', ...aggregate }) => {
      const [fn, reference] = Object.entries(aggregate as Record<string, string>)[0] ?? ['', ''];
      const [alias = '', property] = reference.split('.');
      const nodes = [...new Set(matches.map((match) => at(match, alias)))];
      const values = nodes.map((node) => node[property ?? 'id'] ?? null).filter((value) => value !== null);
      return [as, rounded(figure(fn, values))];
    }),
  );
}

function figure(fn: string, values: readonly unknown[]): unknown {
  const sorted = [...values].sort(compare);
  const sum = values.reduce((total: number, value) => total + Number(value), 0);
  switch (fn) {
    case 'count':
      return values.length;
    case 'collect':
      return [...new Set(sorted)].slice(0, 100);
    case 'min':
      return sorted.at(0) ?? null;
    case 'max':
      return sorted.at(-1) ?? null;
    default:
      return values.length === 0 ? null : fn === 'sum' ? sum : sum / values.length;
  }
}

const rounded = (value: unknown): unknown => (typeof value === 'number' ? Number(value.toFixed(6)) : value);

function expectAnswer(query: QueryText, answer: GraphAnswer): void {
  const [first, second] = query.nodes;
  switch (query.query_type) {
    case 'traversal':
      expectTraversal(query, answer);
      return;
    case 'aggregation':
      expectAggregation(query, answer);
      return;
    case 'neighbors':
      expect(answer.nodes.map(keyOf).sort()).toEqual(
        keys(evaluator.around(first as Json, query.neighbors as Json).keys()),
      );
      return;
    case 'path_finding': {
      const paths = evaluator.paths(first as Json, second as Json, query.path as Json);
      expect(answerEdges(answer)).toEqual(edgesOf(paths.map((path) => ({ walks: [path] }))));
      expect(new Set(answer.edges.map(({ path_id }) => path_id)).size).toBe(Math.min(paths.length, 1000));
    }
  }
}

eachDatabase((open) => {
  let database: OpenDatabase;

  beforeAll(async () => {
    database = await open();
    await writeWorld(database, world);
    await writeWorld(database, { nodes: world.nodes.slice(0, 12), edges: [] }, otherHostId);
  }, 60_000);

  it('answers random valid queries as plain loops over the same catalog do', async () => {
    const kinds: Record<string, number> = {};
    let refused = 0;
    const property = fc.asyncProperty(numbers, async (choices) => {
      const json = randomQuery(new Chooser(choices), world);
      const read = attempt(() => readQuery(json));
      if (read instanceof Invalid) {
        // The one thing that the generator does not count.
        expect(read.message).toMatch(/ways from|does not lead/);
        refused += 1;
        return;
      }
      const answer = await runQuery(database, read, everything);
      expectAnswer(withDefaults(json), answer);
      kinds[read.kind] = (kinds[read.kind] ?? 0) + 1;
    });
    await fc.assert(property, { numRuns: runs, seed: 7 });
    expect(Object.values(kinds).every((count) => count > runs / 10)).toBe(true);
    expect(refused).toBeLessThan(runs / 20);
  }, 900_000);

  it('gives the same rows page by page', async () => {
    const property = fc.asyncProperty(numbers, fc.integer({ min: 1, max: 5 }), async (choices, size) => {
      const json = randomQuery(new Chooser(choices), world);
      if (json['query_type'] !== 'traversal' || attempt(() => readQuery(json)) instanceof Invalid) return;
      const whole = await runQuery(database, readQuery(json), everything);
      if (whole.pagination.total_rows > 60) return;
      const edges: string[] = [];
      const nodes: string[] = [];
      let rows = 0;
      let after: string | undefined;
      do {
        const query = readQuery({
          ...json,
          cursor: { page_size: size, ...(after !== undefined && { after }) },
        });
        const page = await runQuery(database, query, everything);
        nodes.push(...page.nodes.map(keyOf));
        edges.push(...answerEdges(page));
        rows += page.pagination.total_rows;
        after = page.pagination.next_cursor;
      } while (after !== undefined);
      expect(rows).toBe(whole.pagination.total_rows);
      expect([...new Set(nodes)].sort()).toEqual(whole.nodes.map(keyOf).sort());
      expect([...new Set(edges)].sort()).toEqual(answerEdges(whole));
    });
    await fc.assert(property, { numRuns: 300, seed: 11 });
  }, 300_000);
});

function withDefaults(json: Json): QueryText {
  const text = structuredClone(json);
  expect(fillIn(text)).toEqual([]);
  return text as unknown as QueryText;
}

function attempt<T>(work: () => T): T | Invalid {
  try {
    return work();
  } catch (error) {
    if (error instanceof Invalid) return error;
    throw error;
  }
}
