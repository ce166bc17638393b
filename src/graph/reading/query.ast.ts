/** A query that was checked against the ontology. Only this is compiled; its texts are values. */
import type { NodeType, Operator, Property, RelationshipType } from '../ontology.types.js';
import type { Step } from '../ontology.js';

export type Value = string | number | boolean;

/** `property operator value`; `is_null` and `is_not_null` have none. */
export interface Condition {
  readonly property: Property;
  readonly operator: Operator;
  readonly value?: Value | readonly Value[];
}

/** Demands that nothing visible is related so. */
export interface Absence {
  readonly steps: readonly Step[];
}

export interface NodePattern {
  /** Alias in the query; never part of SQL. */
  readonly alias: string;
  readonly type: NodeType;
  readonly columns: readonly Property[];
  readonly conditions: readonly Condition[];
  readonly absences: readonly Absence[];
}

/** The steps from one node of the pattern to the other. */
export type Walk = readonly Step[];

export interface RelationshipPattern {
  /** Indexes in `nodes`. */
  readonly from: number;
  readonly to: number;
  readonly types: readonly RelationshipType[];
  readonly hops: readonly [least: number, most: number];
  readonly direction: Direction;
  /** All walks that the ontology allows, shorter ones first. */
  readonly walks: readonly Walk[];
  /** Conditions on every step. */
  readonly conditions: readonly Condition[];
}

export type Direction = 'outgoing' | 'incoming' | 'both';

export interface Pattern {
  readonly nodes: readonly NodePattern[];
  readonly relationships: readonly RelationshipPattern[];
}

interface PropertyOf {
  /** Index in `nodes`. */
  readonly node: number;
  readonly property: Property;
}

export interface Order extends PropertyOf {
  readonly descending: boolean;
}

export interface Page {
  readonly limit: number;
  /** `after` of the cursor. */
  readonly after?: string;
  /** Digest of the query without its page, which ties a cursor to it. */
  readonly digest: string;
  readonly debug: boolean;
}

export interface Traversal extends Pattern, Page {
  readonly kind: 'traversal';
  readonly order?: Order;
}

/** Kinds of nodes that may be found, each with its conditions. */
export type Findable = ReadonlyMap<NodeType, readonly Condition[]>;

export interface Neighbors extends Page {
  readonly kind: 'neighbors';
  readonly node: NodePattern;
  readonly direction: Direction;
  readonly types?: readonly RelationshipType[];
  /** Kinds that are given; all where absent. */
  readonly findable?: Findable;
  readonly maxHops: number;
  /** Whether nodes are given with all properties. */
  readonly allColumns: boolean;
}

export interface PathFinding extends Page {
  readonly kind: 'path_finding';
  readonly from: NodePattern;
  readonly to: NodePattern;
  readonly types?: readonly RelationshipType[];
  /** Kinds that may lie between the ends; all where absent. */
  readonly findable?: Findable;
  readonly maxDepth: number;
  readonly allColumns: boolean;
}

export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'collect';

export interface Aggregate {
  readonly name: string;
  readonly fn: AggregateFunction;
  readonly node: number;
  /** Absent where nodes are counted. */
  readonly property?: Property;
}

export interface GroupKey {
  readonly name: string;
  readonly node: number;
  /** Absent where grouped by the node. */
  readonly property?: Property;
  readonly truncate?: Truncation;
}

export const truncations = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
type Truncation = (typeof truncations)[number];

export interface Aggregation extends Pattern, Page {
  readonly kind: 'aggregation';
  readonly aggregates: readonly Aggregate[];
  readonly groups: readonly GroupKey[];
  /** Column of the answer to sort by; the group keys where absent. */
  readonly sort?: { readonly column: string; readonly descending: boolean };
}

export type Query = Traversal | Neighbors | PathFinding | Aggregation;

/** The AST with names of the ontology and numbers of values. */
export function shapeOf(query: Query): object {
  const { kind, limit } = query;
  switch (query.kind) {
    case 'neighbors':
      return {
        ...{
          kind,
          limit,
          nodes: [nodeShape(query.node)],
          direction: query.direction,
          maxHops: query.maxHops,
        },
        types: query.types?.map(({ name }) => name),
        findable: findableShape(query.findable),
      };
    case 'path_finding':
      return {
        ...{ kind, limit, nodes: [nodeShape(query.from), nodeShape(query.to)], maxDepth: query.maxDepth },
        types: query.types?.map(({ name }) => name),
        findable: findableShape(query.findable),
      };
    default:
      return {
        ...{ kind, limit, nodes: query.nodes.map(nodeShape) },
        relationships: query.relationships.map(({ from, to, types, hops, direction, walks }) => ({
          ...{ from, to, types: types.map(({ name }) => name), hops, direction, walks: walks.length },
        })),
        ...(query.kind === 'aggregation' && {
          groups: query.groups.map(({ node, property }) => ({ node, property: property?.name })),
          aggregates: query.aggregates.map(({ fn, node, property }) => ({
            fn,
            node,
            property: property?.name,
          })),
        }),
      };
  }
}

function findableShape(findable: Findable | undefined): object[] | undefined {
  if (findable === undefined) return undefined;
  return [...findable].map(([{ name }, conditions]) => ({
    entity: name,
    conditions: conditions.map(conditionShape),
  }));
}

function conditionShape({ property, operator, value }: Condition): object {
  return {
    ...{ property: property.name, operator },
    ...(value !== undefined && {
      value: Array.isArray(value) ? `[${value.length} redacted]` : '[redacted]',
    }),
  };
}

function nodeShape({ type, conditions, absences }: NodePattern): object {
  return {
    entity: type.name,
    conditions: conditions.map(conditionShape),
    ...(absences.length > 0 && {
      without: absences.map(({ steps }) => steps.map(({ link }) => link.type.name)),
    }),
  };
}
