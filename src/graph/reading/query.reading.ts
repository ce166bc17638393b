/** Reads a query that fits its schema into the AST: looks up every name, gathers every fault. Pure. */
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.js';
import { readAggregation } from './aggregation.reading.js';
import { Faults, findableOf, unknownProperty } from './filter.reading.js';
import { patternOf, typesOf } from './pattern.reading.js';
import type { NodeType } from '../ontology.types.js';
import type {
  Neighbors,
  NodePattern,
  Order,
  Page,
  PathFinding,
  Pattern,
  Query,
  Traversal,
} from './query.ast.js';
import type { QueryText } from './query.schema.js';
import { nodeType, propertyOf } from '../ontology.js';

/** Members of each type of query, beside nodes, limit, cursor and options. */
const members = {
  traversal: ['relationships', 'order_by'],
  neighbors: ['neighbors'],
  path_finding: ['path'],
  aggregation: ['relationships', 'aggregations', 'group_by', 'aggregation_sort'],
} as const satisfies Readonly<Record<QueryText['query_type'], readonly (keyof QueryText)[]>>;
const special = [...new Set(Object.values(members).flat())];

/** Throws Invalid `invalid_graph_query` with every fault. */
export function queryOf(text: QueryText): Query {
  const faults = new Faults();
  refuseForeignMembers(text, faults);
  const pattern = patternOf(text, faults);
  const query = readKind(text, pattern, faults);
  faults.refuse();
  if (query === null) throw new Error('A query without faults has a meaning.');
  return query;
}

function readKind(text: QueryText, pattern: Pattern, faults: Faults): Query | null {
  const page = pageOf(text);
  switch (text.query_type) {
    case 'traversal':
      return readTraversal(text, pattern, page, faults);
    case 'neighbors':
      return readNeighbors(text, pattern, page, faults);
    case 'path_finding':
      return readPathFinding(text, pattern, page, faults);
    case 'aggregation':
      return readAggregation(text, pattern, page, faults);
  }
}

function pageOf(text: QueryText): Page {
  const { cursor, limit, options, ...rest } = text;
  return {
    limit: cursor?.page_size ?? limit,
    ...(cursor?.after !== undefined && { after: cursor.after }),
    digest: sha256Hex(canonicalJson(rest)).slice(0, 16),
    debug: options?.include_debug_sql === true,
  };
}

/** Refuses members of other types, which would be ignored. */
function refuseForeignMembers(text: QueryText, faults: Faults): void {
  const own: readonly string[] = members[text.query_type];
  for (const name of special) {
    const value = text[name];
    const given = value !== undefined && !(Array.isArray(value) && value.length === 0);
    if (given && !own.includes(name))
      faults.add(`/${name}`, `has no meaning in a query of type ${text.query_type}`);
  }
}

function readTraversal(text: QueryText, pattern: Pattern, page: Page, faults: Faults): Traversal {
  const order = text.order_by === undefined ? null : orderOf(text.order_by, pattern.nodes, faults);
  return { kind: 'traversal', ...pattern, ...page, ...(order !== null && { order }) };
}

function orderOf(text: string, nodes: readonly NodePattern[], faults: Faults): Order | null {
  const descending = text.startsWith('-');
  const [alias = '', name = ''] = text.replace(/^-/, '').split('.');
  const node = nodes.findIndex((each) => each.alias === alias);
  const type = nodes[node]?.type;
  if (type === undefined) return faults.add('/order_by', `names no node: ${alias} is no alias`);
  const property = propertyOf(type, name);
  if (property === undefined) return faults.add('/order_by', unknownProperty(type, name));
  if (property.kind === 'list') return faults.add('/order_by', `can’t be by ${name}: it is a list`);
  return { node, property, descending };
}

function readNeighbors(text: QueryText, { nodes }: Pattern, page: Page, faults: Faults): Neighbors | null {
  const [node, other] = nodes;
  if (text.neighbors === undefined) return faults.add('/neighbors', 'is missing; {} asks for all');
  if (node === undefined || other !== undefined)
    return faults.add('/nodes', 'must be one node: the one in the middle');
  const { direction, rel_types, node_types, filters, max_hops } = text.neighbors;
  const findable = findableOf(nodeTypesOf(node_types), filters, '/neighbors', faults);
  return {
    ...{ kind: 'neighbors', node, direction, maxHops: max_hops, ...page },
    ...(rel_types !== undefined && { types: typesOf(rel_types) }),
    ...(findable !== undefined && { findable }),
    allColumns: text.options?.dynamic_columns === '*',
  };
}

function readPathFinding(
  text: QueryText,
  { nodes }: Pattern,
  page: Page,
  faults: Faults,
): PathFinding | null {
  if (text.path === undefined) return faults.add('/path', 'is missing; it names the nodes from and to');
  const { from: start, to: end, max_depth, rel_types, node_types, filters } = text.path;
  const [from, to] = [start, end].map((alias) => nodes.find((node) => node.alias === alias));
  if (from === undefined) return faults.add('/path/from', 'is the alias of no node');
  if (to === undefined) return faults.add('/path/to', 'is the alias of no node');
  if (from === to || nodes.length !== 2) return faults.add('/nodes', 'must be two: from and to');
  const findable = findableOf(nodeTypesOf(node_types), filters, '/path', faults);
  return {
    ...(findable !== undefined && { findable }),
    ...{ kind: 'path_finding', from, to, maxDepth: max_depth, ...page },
    ...(rel_types !== undefined && { types: typesOf(rel_types) }),
    allColumns: text.options?.dynamic_columns === '*',
  };
}

function nodeTypesOf(names: readonly string[] | undefined): NodeType[] | undefined {
  return names?.map(nodeType).filter((type) => type !== undefined);
}
