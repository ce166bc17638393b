/** Makes the answer of rows: each node and edge once, in the order of the rows. Pure. */
import { isFirst } from '../sql/statement.sql.js';
import {
  responseFormatVersion,
  type GraphAnswer,
  type GraphEdge,
  type GraphNode,
  type Pagination,
} from './response-format.js';
import { groupProperties } from '../sql/aggregation.sql.js';
import { offsetOf, writeCursor, type Progress, type Total } from '../sql/cursor.js';
import type { NodeType, Property } from '../ontology.types.js';
import type {
  Aggregation,
  GroupKey,
  Query,
  RelationshipPattern,
  Traversal,
  Walk,
} from '../reading/query.ast.js';
import { traversalCursor, type MatchRow } from '../sql/traversal.sql.js';
import { columnOf, idOf, type Step } from '../ontology.js';

/** Gathers nodes and edges, each once. */
export class Gathered {
  private readonly byNode = new Map<string, GraphNode>();
  private readonly byEdge = new Map<string, GraphEdge>();

  /** Adds the properties to those that the node already has. */
  node(node: GraphNode): void {
    const key = `${node.type} ${node.id}`;
    const known = this.byNode.get(key);
    this.byNode.set(key, known === undefined ? node : { ...known, ...node });
  }

  edge(edge: GraphEdge): void {
    const { from, from_id, to_id, type, path_id = '' } = edge;
    const key = `${type} ${from} ${from_id} ${to_id} ${path_id}`;
    if (!this.byEdge.has(key)) this.byEdge.set(key, edge);
  }

  get nodes(): GraphNode[] {
    return [...this.byNode.values()];
  }

  get edges(): GraphEdge[] {
    return [...this.byEdge.values()];
  }
}

/** Reads a node of a row: `n2_name` is the name of node 2. */
export function nodeOf(type: NodeType, columns: readonly Property[], row: MatchRow, index = 0): GraphNode {
  const id = row[`n${index}_id`] as string;
  const given = isFirst(row, `n${index}_id`) ? columns : columns.filter(({ long }) => !long);
  const values = given.map((property): [string, unknown] => [
    property.name,
    row[`n${index}_${columnOf(property)}`],
  ]);
  return { type: type.name, id, ...Object.fromEntries(values) };
}

/** Makes the edge of a step, in the direction of the relationship. */
export function edgeOf({ link, forward }: Step, start: string, end: string): GraphEdge {
  const [from_id, to_id] = forward ? [start, end] : [end, start];
  return { from: link.from.name, from_id, to: link.to.name, to_id, type: link.type.name };
}

/**
 * @param rows one more than the limit where there are more
 * @param progress rows of the pages up to this one
 */
export function traversalAnswer(
  query: Traversal,
  rows: readonly MatchRow[],
  progress: Progress,
): GraphAnswer {
  const page = rows.slice(0, query.limit);
  const gathered = new Gathered();
  for (const row of page) {
    query.nodes.forEach(({ type, columns }, index) => {
      gathered.node(nodeOf(type, columns, row, index));
    });
    query.relationships.forEach((relationship, index) => {
      gatherWalk(gathered, relationship, row, index);
    });
  }
  const last = page.at(-1);
  const next =
    rows.length > page.length && last !== undefined ? traversalCursor(query, last, progress) : undefined;
  return graphAnswer(query, gathered, paginationOf(page.length, progress.total, next));
}

function gatherWalk(
  gathered: Gathered,
  { from, to, walks, hops }: RelationshipPattern,
  row: MatchRow,
  index: number,
): void {
  const walk: Walk = walks[Number(row[`r${index}_walk`] ?? 0)] ?? [];
  const between = (row[`r${index}_ids`] ?? []) as readonly string[];
  const ends = [row[`n${from}_id`] as string, row[`n${to}_id`] as string];
  // A walk that was compiled from its end has the nodes between in that order.
  const ids = [ends[0] ?? '', ...between, ends[1] ?? ''];
  walk.forEach((step, place) => {
    const [start = '', end = ''] = [ids[place], ids[place + 1]];
    if (place < walk.length - 1) gathered.node({ type: step.end.name, id: end });
    gathered.edge({ ...edgeOf(step, start, end), ...(hops[1] > 1 && { depth: place + 1 }) });
  });
}

export function aggregationAnswer(query: Aggregation, rows: readonly MatchRow[]): GraphAnswer {
  const page = rows.slice(0, query.limit);
  const more = rows.length > page.length;
  const end = offsetOf(query) + page.length;
  const next = more ? writeCursor(query.digest, [end]) : undefined;
  const total = { count: Number(page[0]?.['total'] ?? end), isExact: true };
  return {
    ...graphAnswer(query, new Gathered(), paginationOf(page.length, total, next)),
    columns: query.aggregates.map(({ name, fn, node, property }) => ({
      ...{ name, function: fn, target: query.nodes[node]?.alias ?? '' },
      ...(property !== undefined && { property: property.name }),
    })),
    group_columns: query.groups.map(({ name, node, property }) => ({
      name,
      kind: property === undefined ? 'node' : 'property',
      node: query.nodes[node]?.alias ?? '',
      entity: query.nodes[node]?.type.name ?? '',
      ...(property !== undefined && { property: property.name }),
    })),
    rows: page.map((row) => rowOf(query, row)),
  };
}

function rowOf(query: Aggregation, row: MatchRow): Readonly<Record<string, unknown>> {
  const groups = query.groups.map((key, index): [string, unknown] => [
    key.name,
    groupValue(query, key, row, index),
  ]);
  const figures = query.aggregates.map(({ name, fn }, index): [string, unknown] => [
    name,
    fn === 'collect' ? (row[`a${index}`] ?? []) : row[`a${index}`],
  ]);
  return Object.fromEntries([...groups, ...figures]);
}

function groupValue(query: Aggregation, key: GroupKey, row: MatchRow, index: number): unknown {
  if (key.property !== undefined) return row[`g${index}`];
  const type = query.nodes[key.node]?.type;
  const id = type === undefined ? undefined : idOf(type);
  const properties = groupProperties(query, key).flatMap((property): [string, unknown][] =>
    property === id ? [] : [[property.name, row[`g${index}_${columnOf(property)}`]]],
  );
  return { type: type?.name, id: row[`g${index}`], properties: Object.fromEntries(properties) };
}

export function graphAnswer(query: Query, gathered: Gathered, pagination: Pagination): GraphAnswer {
  return {
    format_version: responseFormatVersion,
    query_type: query.kind,
    nodes: gathered.nodes,
    edges: gathered.edges,
    pagination,
  };
}

/** @param rows of this page */
export function paginationOf(rows: number, { count, isExact }: Total, next: string | undefined): Pagination {
  return {
    ...{ has_more: next !== undefined, page_rows: rows },
    ...(isExact ? { total_rows: count } : { total_rows: null, total_at_least: count }),
    ...(next !== undefined && { next_cursor: next }),
  };
}
