import type { GraphAnswer, GraphNode } from '../../../src/graph/answering/response-format.js';
import { nodeTypes } from '../../../src/graph/ontology.js';
import type { NodeType } from '../../../src/graph/ontology.types.js';
import type { QueryText } from '../../../src/graph/reading/query.schema.js';
import { expectAggregation } from './aggregation-agreement.js';
import { compare } from './evaluated-filter.js';
import { isFindable, type Evaluator, type Hop, type Match } from './evaluator.js';
import type { WorldNode } from './graph-world.js';

type Json = Readonly<Record<string, unknown>>;
const types: readonly NodeType[] = nodeTypes;

export const keyOf = ({ type, id }: { readonly type: string; readonly id: string }): string =>
  `${type} ${id}`;
const textOf = ({ type, from, to }: Hop['edge']): string => `${type} ${from} ${to}`;
export const answerEdges = ({ edges }: GraphAnswer): string[] => [
  ...new Set(edges.map(({ type, from_id, to_id }) => `${type} ${from_id} ${to_id}`)),
];

/** Fails where an answer is not what plain loops find. */
export function expectAnswer(query: QueryText, answer: GraphAnswer, evaluator: Evaluator): void {
  switch (query.query_type) {
    case 'traversal':
      expectTraversal(query, answer, evaluator);
      return;
    case 'aggregation':
      expectAggregation(query, answer, evaluator);
      return;
    case 'neighbors':
      expectNeighbors(query, answer, evaluator);
      return;
    case 'path_finding':
      expectPaths(query, answer, evaluator);
  }
}

/** All rows that there are, counted as far as answers count. */
export function expectTotal({ pagination }: GraphAnswer, total: number, given: number): void {
  const { next_cursor: _cursor, ...counts } = pagination;
  const counted =
    total > 10_000 && total > given ? { total_rows: null, total_at_least: 10_001 } : { total_rows: total };
  expect(counts).toEqual({ has_more: total > given, page_rows: given, ...counted });
}

export const limitOf = ({ cursor, limit }: QueryText): number => cursor?.page_size ?? limit;

function expectTraversal(query: QueryText, answer: GraphAnswer, evaluator: Evaluator): void {
  const all = evaluator.matches(query);
  const limit = limitOf(query);
  expectTotal(answer, all.length, Math.min(all.length, limit));
  const ambiguous = query.relationships.some(({ type, hops, direction }) => {
    return hops[1] !== 1 || Array.isArray(type) || direction === 'both';
  });
  // Between the same nodes there may be several walks: which comes first is not told.
  if (ambiguous && all.length > limit) return;
  const matches = ordered(query, all).slice(0, limit);
  const shown = new Map<string, GraphNode>();
  for (const { nodes, walks } of matches) {
    nodes.forEach((node, index) => {
      show(shown, node, columnsOf(query.nodes[index] as Json));
    });
    for (const { to } of walks.flat()) show(shown, to, []);
  }
  expectNodes(answer, shown);
  const edges = matches.flatMap(({ walks }) => walks.flat().map(({ edge }) => textOf(edge)));
  expect(answerEdges(answer).sort()).toEqual([...new Set(edges)].sort());
  if (query.nodes.length === 1)
    expect(answer.nodes.map(({ id }) => id)).toEqual([...shown.values()].map(({ id }) => id));
}

function ordered({ order_by = '', nodes }: QueryText, matches: readonly Match[]): Match[] {
  const [alias, name = ''] = order_by.replace('-', '').split('.');
  const place = nodes.findIndex(({ id }) => id === alias);
  const key = ({ nodes: own }: Match): unknown => own[place]?.[name] ?? null;
  return [...matches].sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    const nulls = Number(left === null) - Number(right === null);
    const sign = order_by.startsWith('-') ? -1 : 1;
    const order = left === null || right === null ? nulls : sign * compare(left, right);
    return order || byIds(a, b);
  });
}

function byIds(a: Match, b: Match): number {
  const orders = a.nodes.map(({ id }, index) => compare(id, b.nodes[index]?.id));
  return orders.find((order) => order !== 0) ?? 0;
}

/** Properties that a node of a query is shown with. */
export function columnsOf({ entity, columns }: Json): readonly string[] {
  const type = types.find(({ name }) => name === entity);
  if (columns === '*') return (type?.properties ?? []).map(({ name }) => name);
  return (columns as string[] | undefined) ?? type?.defaults ?? [];
}

export function shownAs(node: WorldNode, columns: readonly string[]): GraphNode {
  const values = columns.map((name) => [name, node[name] ?? null]);
  return { ...Object.fromEntries(values), type: node.type, id: node.id } as GraphNode;
}

function show(shown: Map<string, GraphNode>, node: WorldNode, columns: readonly string[]): void {
  const key = keyOf(node);
  shown.set(key, { ...shown.get(key), ...shownAs(node, columns) });
}

function expectNodes(answer: GraphAnswer, shown: ReadonlyMap<string, GraphNode>): void {
  const byKey = (a: GraphNode, b: GraphNode) => compare(keyOf(a), keyOf(b));
  const given = JSON.parse(JSON.stringify(answer.nodes)) as GraphNode[];
  expect(given.sort(byKey)).toEqual([...shown.values()].sort(byKey));
}

function expectNeighbors(query: QueryText, answer: GraphAnswer, evaluator: Evaluator): void {
  const [selector = {}] = query.nodes as unknown as Json[];
  const { max_hops = 1, direction = 'both', rel_types, ...wanted } = query.neighbors ?? {};
  const depths = evaluator.around(selector, query.neighbors as Json);
  const middle = [...depths].flatMap(([node, depth]) => (depth === 0 ? [node] : []));
  const least = middle.length > 1 ? 0 : 1;
  const found = [...depths]
    .filter(([node, depth]) => depth >= least && (depth === 0 || isFindable(node, wanted)))
    .sort(([a, left], [b, right]) => left - right || compare(keyOf(a), keyOf(b)));
  const page = found.slice(0, limitOf(query)).map(([node]) => node);
  expectTotal(answer, found.length, page.length);
  const all = query.options?.dynamic_columns === '*';
  const shown = new Map<string, GraphNode>();
  if (middle.length === 1) for (const node of middle) show(shown, node, columnsOf(selector));
  for (const node of page) {
    const usual = { entity: node.type, ...(all && { columns: '*' }) };
    show(shown, node, columnsOf(middle.includes(node) ? selector : usual));
  }
  expectNodes(answer, shown);
  if (found.length > page.length) return;
  const given = new Set([...middle, ...page]);
  const edges = [...depths].flatMap(([node, depth]) => {
    if (depth >= max_hops || !given.has(node)) return [];
    const hops = evaluator.hopsFrom(node, direction, rel_types);
    return hops.filter(({ to }) => given.has(to)).map(({ edge }) => textOf(edge));
  });
  expect(answerEdges(answer).sort()).toEqual([...new Set(edges)].sort());
}

function expectPaths(query: QueryText, answer: GraphAnswer, evaluator: Evaluator): void {
  const [first = {}, second = {}] = query.nodes as unknown as Json[];
  const paths = evaluator.paths(first, second, query.path as Json).sort(byHops);
  const page = paths.slice(0, limitOf(query));
  const all = evaluator.met(first, second).sort((a, b) => compare(keyOf(a), keyOf(b)));
  const met = all.slice(0, limitOf(query));
  expectTotal(answer, paths.length + all.length, page.length + met.length);
  const given: string[][] = [];
  for (const { path_id = 0, step = 0, type, from_id, to_id } of answer.edges) {
    (given[path_id] ??= [])[step] = `${type} ${from_id} ${to_id}`;
  }
  expect(given).toEqual(page.map((path) => path.map(({ edge }) => textOf(edge))));
  const passed = [...met, ...page.flatMap((path) => path.flatMap(({ from, to }) => [from, to]))];
  expect(answer.nodes.map(keyOf).sort()).toEqual([...new Set(passed.map(keyOf))].sort());
}

/** By start, then step by step by relationship, next node, and against its direction first. */
function byHops(a: readonly Hop[], b: readonly Hop[]): number {
  const texts = (path: readonly Hop[]): string[] => [
    ...path.slice(0, 1).map(({ from }) => keyOf(from)),
    ...path.map(({ edge, to, along }) => `${edge.type} ${keyOf(to)} ${String(along)}`),
  ];
  const [left, right] = [texts(a), texts(b)];
  return left.map((text, index) => compare(text, right[index])).find((order) => order !== 0) ?? 0;
}
