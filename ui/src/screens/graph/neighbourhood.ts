import type { Of } from '../../api/client.ts';

export const kinds = [
  'Tool',
  'Skill',
  'Agent',
  'Endpoint',
  'ApiVersion',
  'Api',
  'Workflow',
  'Gateway',
  'Category',
  'Tag',
] as const;
export type Kind = (typeof kinds)[number];

/** Most nodes of a picture: more of them nobody can read. */
export const MAX_NODES = 200;

/** As GET …/graph/dsl describes it: the API's own document leaves it open. */
type Query = Of<'QueryGraphRequest'>['query'];

export interface Place {
  readonly kind: string;
  readonly id: string;
}

interface Node extends Place {
  readonly name: string;
  /** The same in every answer: its kind and id. */
  readonly key: string;
}

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

export interface Neighbourhood {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** How many nodes of the answer are left out. */
  readonly left: number;
}

export function keyOf({ kind, id }: Place): string {
  return `${kind} ${id}`;
}

/** The question for what lies around a node. @param only the one kind of neighbours that is wanted, or '' */
export function aroundQuery({ kind, id }: Place, hops: number, only: string): Query {
  return {
    query_type: 'neighbors',
    nodes: [{ id: 'n', entity: kind, node_ids: [id] }],
    neighbors: { max_hops: hops, ...(only === '' ? {} : { node_types: [only] }) },
    limit: MAX_NODES,
  } as object as Query;
}

/** The question for nodes of a kind by words in their names. Gateways have none: all are asked for. */
export function namedQuery(kind: Kind, words: string): Query {
  const filters = words === '' || kind === 'Gateway' ? {} : { filters: { name: { contains: words } } };
  return {
    query_type: 'traversal',
    nodes: [{ id: 'n', entity: kind, ...filters }],
    limit: 20,
  } as object as Query;
}

export function nodeOf(node: Of<'QueryGraphResponse'>['nodes'][number]): Node {
  const {
    type: kind,
    id,
    name,
    serviceId,
  } = node as typeof node & {
    readonly name?: unknown;
    readonly serviceId?: unknown;
  };
  const shown = [name, serviceId].find((each): each is string => typeof each === 'string') ?? id;
  return { kind, id, name: shown, key: keyOf({ kind, id }) };
}

/** Nodes and edges once each, the one in the middle first. */
export function neighbourhoodOf(
  { nodes: found, edges: walked }: Of<'QueryGraphResponse'>,
  center: Place,
): Neighbourhood {
  const all = new Map<string, Node>();
  for (const node of found.map(nodeOf)) all.set(node.key, node);
  const middle = keyOf(center);
  const ordered = [
    all.get(middle) ?? { ...center, name: center.id, key: middle },
    ...[...all.values()].filter(({ key }) => key !== middle),
  ];
  const nodes = ordered.slice(0, MAX_NODES);
  const shown = new Set(nodes.map(({ key }) => key));
  const edges = new Map<string, Edge>();
  for (const { from, from_id, to, to_id, type } of walked) {
    const edge = { from: keyOf({ kind: from, id: from_id }), to: keyOf({ kind: to, id: to_id }), type };
    if (shown.has(edge.from) && shown.has(edge.to)) edges.set(`${edge.from} ${type} ${edge.to}`, edge);
  }
  return { nodes, edges: [...edges.values()], left: ordered.length - nodes.length };
}

const pages: Readonly<Record<string, string>> = {
  Tool: '/tools/',
  Skill: '/skills/',
  Agent: '/agents/',
  Endpoint: '/endpoints/',
  Workflow: '/workflows/',
  Gateway: '/gateways/',
};

/** The page of a node, where the portal has one. */
export function pageOf({ kind, id }: Place): string | undefined {
  const page = pages[kind];
  return page === undefined ? undefined : `${page}${id}`;
}
