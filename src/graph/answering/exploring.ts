/** Walks outward from nodes, level by level, for neighbors and path_finding. Pure but for `run`. */
import { Invalid } from '../../kernel/errors.js';
import {
  detailStatement,
  expansionStatement,
  selectorStatement,
  type EdgeRow,
  type Expansion,
} from '../sql/expansion.sql.js';
import { nodeOf, type Gathered } from './answer.js';
import type { GraphNode } from './response-format.js';
import { invalidQuery } from '../reading/filter.reading.js';
import type { GraphScope } from '../graph-scopes.service.js';
import type { NodeType, Property, RelationshipType } from '../ontology.types.js';
import type { Direction, Findable, NodePattern } from '../reading/query.ast.js';
import type { Statement } from '../sql/statement.sql.js';
import type { MatchRow } from '../sql/traversal.sql.js';
import { idOf, propertyOf, stepsFrom, type Step } from '../ontology.js';

/** Runs one statement of the query's transaction. */
export type Run = <Row extends object>(statement: Statement) => Promise<Row[]>;

export interface Exploration {
  readonly run: Run;
  readonly scope: GraphScope;
  readonly direction: Direction;
  readonly types?: readonly RelationshipType[] | undefined;
}

export interface Place {
  readonly type: NodeType;
  readonly id: string;
}

/** A place with the columns of its node, and the node where it has been read already. */
export interface ShownPlace extends Place {
  readonly columns: readonly Property[];
  readonly node?: GraphNode;
}

export interface Found {
  readonly step: Step;
  readonly start: Place;
  readonly end: Place;
}

/** Limits of edges in one level, and of nodes to start from. */
export const MAX_EDGES = 5_000;
export const MAX_STARTS = 500;

export function keyOf({ type, id }: Place): string {
  return `${type.name} ${id}`;
}

/** The ids that a selector names. */
export function namedIds({ type, conditions }: NodePattern): readonly string[] | undefined {
  const named = conditions.find(({ property, operator }) => property === idOf(type) && operator === 'in');
  return named?.value as readonly string[] | undefined;
}

/**
 * Finds the nodes of a selector, by type and id. Reads their columns only where few are named, since a page may hold
 * but some of them. Throws Invalid where there are too many.
 */
export async function selectedBy(
  selector: NodePattern,
  { run, scope }: Exploration,
  { pointer, limit }: { readonly pointer: string; readonly limit: number },
): Promise<ShownPlace[]> {
  const { type, columns } = selector;
  const isFew = (namedIds(selector)?.length ?? Infinity) <= limit;
  const rows = await run<MatchRow>(selectorStatement(selector, isFew ? columns : [], scope, MAX_STARTS));
  if (rows.length > MAX_STARTS) {
    throw tooWide(pointer, `means more than ${MAX_STARTS} nodes; narrow it with node_ids or filters`);
  }
  const places = rows.map((row) => {
    const node = nodeOf(type, isFew ? columns : [], row);
    return { type, id: node.id, columns, ...(isFew && { node }) };
  });
  return places.sort(byTypeThenId);
}

/** Finds every edge of these nodes. Throws Invalid where there are too many. */
export async function expand(places: readonly Place[], exploration: Exploration): Promise<Found[]> {
  const { run, scope, direction, types } = exploration;
  const idsByType = new Map<NodeType, string[]>();
  for (const { type, id } of places) idsByType.set(type, [...(idsByType.get(type) ?? []), id]);
  const expansions = [...idsByType].flatMap(([type, ids]): Expansion[] =>
    stepsFrom(type, direction, types).map((step) => ({ step, ids })),
  );
  if (expansions.length === 0) return [];
  const rows = await run<EdgeRow>(expansionStatement(expansions, scope, MAX_EDGES));
  if (rows.length > MAX_EDGES) {
    throw tooWide(
      '/nodes',
      `leads to more than ${MAX_EDGES} edges; name fewer relationships (rel_types) or fewer hops`,
    );
  }
  return rows.flatMap(({ step, start_id, end_id }) => {
    const taken = expansions[step]?.step;
    if (taken === undefined) return [];
    return [
      { step: taken, start: { type: taken.start, id: start_id }, end: { type: taken.end, id: end_id } },
    ];
  });
}

/** Keeps the places that may be found, in their order. */
export async function found<T extends Place>(
  places: readonly T[],
  findable: Findable | undefined,
  { run, scope }: Exploration,
): Promise<T[]> {
  if (findable === undefined) return [...places];
  const kept = new Set<string>();
  for (const [type, conditions] of findable) {
    const ofType = places.filter((place) => place.type === type);
    if (conditions.length === 0) for (const place of ofType) kept.add(keyOf(place));
    if (conditions.length === 0 || ofType.length === 0) continue;
    const ids = ofType.map(({ id }) => id);
    const rows = await run<MatchRow>(detailStatement(type, [], { ids, conditions }, scope));
    for (const { n0_id: id } of rows) kept.add(keyOf({ type, id: String(id) }));
  }
  return places.filter((place) => kept.has(keyOf(place)));
}

/** Gathers nodes in their order, and reads the columns of those that were found without them. */
export async function describe(
  places: readonly ShownPlace[],
  { run, scope }: Exploration,
  gathered: Gathered,
): Promise<void> {
  for (const { type, id, node } of places) gathered.node(node ?? { type: type.name, id });
  const unread = places.filter(({ node }) => node === undefined);
  const alike = new Map<string, ShownPlace & { readonly ids: string[] }>();
  for (const place of unread) {
    const shape = [place.type.name, ...place.columns.map(({ name }) => name)].join(' ');
    const known = alike.get(shape);
    if (known === undefined) alike.set(shape, { ...place, ids: [place.id] });
    else known.ids.push(place.id);
  }
  const reads = [...alike.values()].map(async ({ type, columns, ids }) => {
    const rows = await run<MatchRow>(detailStatement(type, columns, { ids }, scope));
    for (const row of rows) gathered.node(nodeOf(type, columns, row));
  });
  await Promise.all(reads);
}

/** Columns of a node that no selector names columns for. */
export function shownColumns(type: NodeType, all: boolean): Property[] {
  const id = idOf(type);
  if (all) return type.properties.filter((property) => property !== id);
  return type.defaults.map((name) => propertyOf(type, name)).filter((property) => property !== undefined);
}

function tooWide(pointer: string, detail: string): Invalid {
  return new Invalid(invalidQuery, `The query can’t be run: ${pointer} ${detail}.`, [{ pointer, detail }]);
}

export function byTypeThenId(a: Place, b: Place): number {
  const [left, right] = [keyOf(a), keyOf(b)];
  return left < right ? -1 : Number(left > right);
}
