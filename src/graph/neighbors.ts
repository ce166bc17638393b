/** What is around a node. Pure but for `run`. */
import { answerOf, edgeOf, Gathered, nodeOf, paginationOf } from './answer.js';
import type { GraphAnswer, GraphNode } from './answer.types.js';
import { offsetOf, writeCursor } from './cursor.js';
import { nearbyStatement, type NearbyRow } from './expansion.sql.js';
import {
  describe,
  expand,
  keyOf,
  selectedBy,
  shownColumns,
  type Exploration,
  type Found,
  type Place,
  type Run,
  type SelectedPlace,
} from './exploring.js';
import type { GraphScope } from './graph.scope.js';
import type { NodeType } from './ontology.types.js';
import type { Neighbors, NodePattern } from './query.ast.js';
import { idOf, stepsFrom } from './vocabulary.js';

interface Neighbor extends Place {
  readonly depth: number;
  /** As it is shown, where that was read along with the edges. */
  readonly node?: GraphNode;
}

interface Surroundings {
  readonly middle: readonly SelectedPlace[];
  /** All nodes within reach but the middle, nearest first, then by type and id. */
  readonly neighbors: readonly Neighbor[];
  /** The edges that led to them. */
  readonly found: readonly (Found & { readonly depth: number })[];
}

/** Edges of a neighbourhood that is read in one statement. */
const mostNearby = 100;

/** Throws Invalid where there is too much around it. */
export async function neighborsOf(query: Neighbors, scope: GraphScope, run: Run): Promise<GraphAnswer> {
  const exploration: Exploration = { run, scope, direction: query.direction, types: query.types };
  const offset = offsetOf(query);
  const { middle, neighbors, found } =
    (await nearby(query, exploration)) ?? (await around(query, exploration, offset + query.limit));
  const page = neighbors.slice(offset, offset + query.limit);
  const end = offset + page.length;
  const next = neighbors.length > end ? writeCursor(query.digest, [end]) : undefined;
  const gathered = new Gathered();
  for (const { node } of [...middle, ...page]) if (node !== undefined) gathered.node(node);
  const untold = page.filter(({ node }) => node === undefined);
  await describe(untold, exploration, gathered, query.allColumns);
  const given = new Set([...middle, ...page].map(keyOf));
  for (const { step, start, end: other, depth } of found) {
    if (given.has(keyOf(start)) && given.has(keyOf(other))) {
      gathered.edge({ ...edgeOf(step, start.id, other.id), ...(query.maxHops > 1 && { depth }) });
    }
  }
  return answerOf(query, gathered, paginationOf(page.length, next));
}

/** All that is next to one node, where that is little; undefined where it has to be walked. */
async function nearby(query: Neighbors, exploration: Exploration): Promise<Surroundings | undefined> {
  const { node, maxHops, allColumns, nodeTypes } = query;
  const id = onlyIdOf(node);
  const hasTimes = node.columns.some(({ kind }) => kind === 'datetime');
  if (id === undefined || maxHops > 1 || allColumns || hasTimes) return undefined;
  const { run, scope, direction, types } = exploration;
  const steps = stepsFrom(node.type, direction, types);
  const columnsOf = (type: NodeType) => shownColumns(type, false);
  const rows = await run<NearbyRow>(nearbyStatement({ node, id, steps }, scope, mostNearby, columnsOf));
  if (rows.length > mostNearby) return undefined;
  const own = rows.filter(({ step }) => step < 0);
  if (own.length === 0) return { middle: [], neighbors: [], found: [] };
  const middle = own.map(({ shown }) => ({
    type: node.type,
    id,
    node: nodeOf(node.type, node.columns, shown),
  }));
  const taken = rows.flatMap(({ step: place, shown, end_id }) => {
    const step = steps[place];
    if (step === undefined) return [];
    const end = { type: step.end, id: end_id, node: nodeOf(step.end, columnsOf(step.end), shown), depth: 1 };
    return [{ step, start: { type: node.type, id }, end, depth: 1 }];
  });
  const distinct = new Map(taken.map(({ end }) => [keyOf(end), end]));
  const neighbors = [...distinct.values()].sort(byTypeThenId);
  return {
    middle,
    neighbors: neighbors.filter(({ type }) => nodeTypes?.includes(type) ?? true),
    found: taken,
  };
}

function onlyIdOf({ type, conditions }: NodePattern): string | undefined {
  const named = conditions.find(({ property, operator }) => property === idOf(type) && operator === 'in');
  const ids = (named?.value ?? []) as readonly string[];
  return ids.length === 1 ? ids[0] : undefined;
}

async function around(
  { node, maxHops, nodeTypes }: Neighbors,
  exploration: Exploration,
  enough: number,
): Promise<Surroundings> {
  const middle = await selectedBy(node, exploration, '/nodes/0');
  const seen = new Set(middle.map(keyOf));
  const neighbors: Neighbor[] = [];
  const found: (Found & { depth: number })[] = [];
  let frontier: readonly Place[] = middle;
  for (let depth = 1; depth <= maxHops && frontier.length > 0 && neighbors.length <= enough; depth += 1) {
    const edges = await expand(frontier, exploration);
    found.push(...edges.map((edge) => ({ ...edge, depth })));
    const fresh = new Map(
      edges.map(({ end }) => [keyOf(end), end] as const).filter(([key]) => !seen.has(key)),
    );
    for (const key of fresh.keys()) seen.add(key);
    frontier = [...fresh.values()].sort(byTypeThenId);
    const wanted = frontier.filter(({ type }) => nodeTypes?.includes(type) ?? true);
    neighbors.push(...wanted.map((place) => ({ ...place, depth })));
  }
  return { middle, neighbors, found };
}

export function byTypeThenId(a: Place, b: Place): number {
  const [left, right] = [keyOf(a), keyOf(b)];
  return left < right ? -1 : Number(left > right);
}
