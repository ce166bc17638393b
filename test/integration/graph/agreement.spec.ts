import fc from 'fast-check';
import { runQuery } from '../../../src/graph/graph.queries.js';
import { readQuery } from '../../../src/graph/graph.lookup.js';
import type { GraphScope } from '../../../src/graph/graph-scopes.service.js';
import type { OpenDatabase } from '../../../src/platform/database/open-database.js';
import { Invalid } from '../../../src/kernel/errors.js';
import { querySchema, type QueryText } from '../../../src/graph/reading/query.schema.js';
import { jsonValidator } from '../../../src/platform/validation/validator.js';
import { eachDatabase } from '../databases.js';
import { answerEdges, expectAnswer, keyOf } from './agreement.js';
import { Chooser } from './chooser.js';
import { agentScope, confinedWorld } from './confined-world.js';
import { Evaluator } from './evaluator.js';
import { hostId, makeWorld, otherHostId, writeWorld } from './graph-world.js';
import { randomQuery } from './random-query.js';
import { isSoak, many } from '../../soak.js';

type Json = Readonly<Record<string, unknown>>;
const everything: GraphScope = {
  ...{ hostId, services: 'all', environments: ['dev'], tiers: 'all' },
  administers: true,
};
const fillIn = jsonValidator(querySchema);
const world = makeWorld();
/** Who asks: all of the catalog, one service, low tiers, both, or one agent's catalog, which may keep to former versions. */
const scopes: readonly GraphScope[] = [
  everything,
  { ...everything, services: ['s1'] },
  { ...everything, tiers: ['public', 'internal'], administers: false },
  { ...everything, services: ['s2'], tiers: ['public', 'confidential'] },
  agentScope(world, everything),
  agentScope(world, everything, true),
];
const callers = scopes.map((scope) => ({ scope, evaluator: new Evaluator(confinedWorld(world, scope)) }));
const caller = fc.nat(callers.length - 1);
const numbers = fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 60 });
/**
 * Each draw has a seed of its own. On each database others: what one of them gets wrong is more likely to be met. On the
 * embedded one, which is slower, they are fewer.
 */
const drawsOn = isSoak
  ? { embedded: { draws: [7, 9], runs: 500 }, server: { draws: [8, 10, 12, 14], runs: 2_500 } }
  : { embedded: { draws: [7], runs: 120 }, server: { draws: [8], runs: 180 } };

eachDatabase((open, kind) => {
  let database: OpenDatabase;
  const { draws, runs } = drawsOn[kind];

  beforeAll(async () => {
    database = await open();
    await writeWorld(database, world);
    await writeWorld(database, { nodes: world.nodes.slice(0, 12), edges: [] }, otherHostId);
  });

  it.each(draws)(
    'answers random valid queries as plain loops over the same catalog do: draw %i',
    async (draw) => {
      const kinds: Record<string, number> = {};
      let refused = 0;
      const property = fc.asyncProperty(numbers, caller, async (choices, place) => {
        const { scope, evaluator } = callers[place] as (typeof callers)[number];
        const json = randomQuery(new Chooser(choices), world);
        const read = attempt(() => readQuery(json));
        if (read instanceof Invalid) {
          // The one thing that the generator does not count: another query takes its place.
          expect(read.message).toMatch(/ways from|does not lead/);
          refused += 1;
          fc.pre(false);
          return;
        }
        const answer = await runQuery(database, read, scope, { countTimeout: 5_000 });
        expectAnswer(withDefaults(json), answer, evaluator);
        kinds[read.kind] = (kinds[read.kind] ?? 0) + 1;
      });
      await fc.assert(property, many(runs, runs, draw));
      expect(Object.values(kinds).every((count) => count > runs / 20)).toBe(true);
      expect(Object.values(kinds).reduce((sum, count) => sum + count, 0)).toBe(runs);
      expect(refused).toBeLessThan(runs / 10);
    },
  );

  it('gives the same rows page by page', async () => {
    let paged = 0;
    const property = fc.asyncProperty(numbers, fc.integer({ min: 1, max: 5 }), async (choices, size) => {
      const json = randomQuery(new Chooser(choices), world);
      if (json['query_type'] !== 'traversal' || attempt(() => readQuery(json)) instanceof Invalid) return;
      const { cursor: _cursor, ...one } = { ...json, limit: 1000 } as Json;
      const whole = await runQuery(database, readQuery(one), everything);
      const total = whole.pagination.total_rows;
      if (total === null || total > 60 || total === 0) return;
      paged += 1;
      const edges: string[] = [];
      const nodes: string[] = [];
      let rows = 0;
      let after: string | undefined;
      do {
        const query = readQuery({
          ...one,
          cursor: { page_size: size, ...(after !== undefined && { after }) },
        });
        const page = await runQuery(database, query, everything);
        expect(page.pagination.total_rows).toBe(total);
        nodes.push(...page.nodes.map(keyOf));
        edges.push(...answerEdges(page));
        rows += page.pagination.page_rows;
        after = page.pagination.next_cursor;
      } while (after !== undefined);
      expect(rows).toBe(total);
      expect([...new Set(nodes)].sort()).toEqual(whole.nodes.map(keyOf).sort());
      expect([...new Set(edges)].sort()).toEqual(answerEdges(whole).sort());
    });
    await fc.assert(property, many(600));
    expect(paged).toBeGreaterThan(isSoak ? 30 : 2);
  });
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
