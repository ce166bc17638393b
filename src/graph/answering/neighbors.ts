/** Finds what is around a node. Pure but for `run`. */
import { Invalid } from '../../kernel/errors.js';
import { graphAnswer, edgeOf, Gathered, nodeOf, paginationOf } from './answer.js';
import type { GraphAnswer } from './response-format.js';
import { offsetOf, writeCursor } from '../sql/cursor.js';
import { nearbyStatement, type NearbyRow } from '../sql/expansion.sql.js';
import {
  byTypeThenId,
  describe,
  expand,
  found,
  keyOf,
  namedIds,
  selectedBy,
  shownColumns,
  type Exploration,
  type Found,
  type Place,
  type Run,
  type ShownPlace,
} from './exploring.js';
import type { GraphScope } from '../graph-scopes.service.js';
import type { NodeType } from '../ontology.types.js';
import type { Neighbors } from '../reading/query.ast.js';
import { stepsFrom } from '../ontology.js';

interface Neighborhood {
  readonly middle: readonly ShownPlace[];
  /** The nodes within reach, nearest first, then by type and id. */
  readonly neighbors: readonly ShownPlace[];
  /** False where the walk ended early. */
  readonly isWhole: boolean;
  /** The edges that led to them. */
  readonly edges: readonly (Found & { readonly depth: number })[];
}

/** Edges that are read in one statement. */
const MAX_NEARBY = 100;

/**
 * A single middle node is given with each page; several middle nodes are rows of their own, before their neighbours. An
 * edge is given with the later of its ends. Throws Invalid where there are too many neighbours.
 */
export async function neighborsOf(query: Neighbors, scope: GraphScope, run: Run): Promise<GraphAnswer> {
  const exploration: Exploration = { run, scope, direction: query.direction, types: query.types };
  const offset = offsetOf(query);
  const { middle, neighbors, edges, isWhole } =
    (await nearby(query, exploration)) ?? (await around(query, exploration, offset + query.limit));
  const [beside, rows] = middle.length > 1 ? [[], [...middle, ...neighbors]] : [middle, neighbors];
  const page = rows.slice(offset, offset + query.limit);
  const end = offset + page.length;
  const next = rows.length > end ? writeCursor(query.digest, [end]) : undefined;
  const gathered = new Gathered();
  await describe([...beside, ...page], exploration, gathered);
  const given = new Set(page.map(keyOf));
  const known = new Set([...beside, ...rows.slice(0, end)].map(keyOf));
  for (const { step, start, end: other, depth } of edges) {
    const [from, to] = [keyOf(start), keyOf(other)];
    if (known.has(from) && known.has(to) && (given.has(from) || given.has(to))) {
      gathered.edge({ ...edgeOf(step, start.id, other.id), ...(query.maxHops > 1 && { depth }) });
    }
  }
  const total = { count: rows.length, isExact: isWhole };
  return graphAnswer(query, gathered, paginationOf(page.length, total, next));
}

/** Reads the neighbours of one node in one statement; undefined where there are too many, or more than one step is asked for. */
async function nearby(query: Neighbors, exploration: Exploration): Promise<Neighborhood | undefined> {
  const { node, maxHops, allColumns, findable } = query;
  const [id, ...others] = namedIds(node) ?? [];
  const hasTimes = node.columns.some(({ kind }) => kind === 'datetime');
  if (id === undefined || others.length > 0 || maxHops > 1 || allColumns || hasTimes) return undefined;
  const { run, scope, direction, types } = exploration;
  const steps = stepsFrom(node.type, direction, types);
  const columnsOf = (type: NodeType) => shownColumns(type, false);
  const rows = await run<NearbyRow>(nearbyStatement({ node, id, steps }, scope, MAX_NEARBY, columnsOf));
  if (rows.length > MAX_NEARBY) return undefined;
  const own = rows.filter(({ step }) => step < 0);
  if (own.length === 0) return { middle: [], neighbors: [], isWhole: true, edges: [] };
  const middle = own.map(({ shown }) => ({
    type: node.type,
    id,
    columns: node.columns,
    node: nodeOf(node.type, node.columns, shown),
  }));
  const taken = rows.flatMap(({ step: place, shown, end_id }) => {
    const step = steps[place];
    if (step === undefined) return [];
    const columns = columnsOf(step.end);
    const end = { type: step.end, id: end_id, columns, node: nodeOf(step.end, columns, shown) };
    return [{ step, start: { type: node.type, id }, end, depth: 1 }];
  });
  const distinct = new Map(taken.map(({ end }) => [keyOf(end), end]));
  const neighbors = await found([...distinct.values()].sort(byTypeThenId), findable, exploration);
  return { middle, neighbors, isWhole: true, edges: taken };
}

/** Walks level by level; a level that is too wide ends the walk once there are `enough` neighbours. */
async function around(
  { node, maxHops, findable, limit, allColumns }: Neighbors,
  exploration: Exploration,
  enough: number,
): Promise<Neighborhood> {
  const middle = await selectedBy(node, exploration, { pointer: '/nodes/0', limit });
  const seen = new Set(middle.map(keyOf));
  const neighbors: ShownPlace[] = [];
  const edges: (Found & { depth: number })[] = [];
  let frontier: readonly Place[] = middle;
  for (let depth = 1; depth <= maxHops && frontier.length > 0; depth += 1) {
    const taken = await expand(frontier, exploration).catch((error: unknown) => {
      if (error instanceof Invalid && neighbors.length > enough) return undefined;
      throw error;
    });
    if (taken === undefined) return { middle, neighbors, isWhole: false, edges };
    edges.push(...taken.map((edge) => ({ ...edge, depth })));
    const fresh = new Map(
      taken.map(({ end }) => [keyOf(end), end] as const).filter(([key]) => !seen.has(key)),
    );
    for (const key of fresh.keys()) seen.add(key);
    frontier = [...fresh.values()].sort(byTypeThenId);
    const wanted = await found(frontier, findable, exploration);
    neighbors.push(...wanted.map((place) => ({ ...place, columns: shownColumns(place.type, allColumns) })));
  }
  return { middle, neighbors, isWhole: true, edges };
}
