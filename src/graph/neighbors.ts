/** What is around a node. Pure but for `run`. */
import { answerOf, edgeOf, Gathered, paginationOf } from './answer.js';
import type { GraphAnswer } from './answer.types.js';
import { readCursor, writeCursor } from './cursor.js';
import {
  describe,
  expand,
  keyOf,
  placesOf,
  shownColumns,
  type Exploration,
  type Found,
  type Place,
} from './exploring.js';
import type { GraphScope } from './graph.scope.js';
import type { Neighbors } from './query.ast.js';
import type { Run } from './exploring.js';

interface Neighbor extends Place {
  readonly depth: number;
}

/** Throws Invalid where there is too much around it. */
export async function neighborsOf(query: Neighbors, scope: GraphScope, run: Run): Promise<GraphAnswer> {
  const exploration: Exploration = { run, scope, direction: query.direction, types: query.types };
  const middle = await placesOf(query.node, exploration, '/nodes/0');
  const offset = query.after === undefined ? 0 : Number(readCursor(query.after, query.digest, 1)[0]);
  const { neighbors, found } = await around(middle, query, exploration, offset + query.limit);
  const page = neighbors.slice(offset, offset + query.limit);
  const end = offset + page.length;
  const next = neighbors.length > end ? writeCursor(query.digest, [end]) : undefined;
  const gathered = new Gathered();
  const own = new Set(middle.map(keyOf));
  await describe([...middle, ...page], exploration, gathered, (type) =>
    type === query.node.type && page.every((place) => place.type !== type)
      ? query.node.columns
      : shownColumns(type, query.allColumns),
  );
  const given = new Set([...own, ...page.map(keyOf)]);
  for (const { step, start, end: other, depth } of found) {
    if (given.has(keyOf(start)) && given.has(keyOf(other))) {
      gathered.edge({ ...edgeOf(step, start.id, other.id), ...(query.maxHops > 1 && { depth }) });
    }
  }
  return answerOf(query, gathered, paginationOf(page.length, next));
}

/** All nodes within reach but the middle, nearest first, then by type and id; and the edges that led to them. */
async function around(
  middle: readonly Place[],
  { maxHops, nodeTypes }: Neighbors,
  exploration: Exploration,
  enough: number,
): Promise<{
  readonly neighbors: readonly Neighbor[];
  readonly found: readonly (Found & { depth: number })[];
}> {
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
  return { neighbors, found };
}

export function byTypeThenId(a: Place, b: Place): number {
  const [left, right] = [keyOf(a), keyOf(b)];
  return left < right ? -1 : Number(left > right);
}
