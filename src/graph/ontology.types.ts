/** Kind of a property's values: `list` is a list of texts, `id` names a node. */
export type PropertyKind = 'id' | 'text' | 'choice' | 'integer' | 'number' | 'boolean' | 'datetime' | 'list';

export const operators = [
  'eq',
  'in',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'starts_with',
  'ends_with',
  'token_match',
  'all_tokens',
  'any_tokens',
  'is_null',
  'is_not_null',
] as const;
export type Operator = (typeof operators)[number];

/** One property of a node or a relationship. */
export interface Property {
  readonly name: string;
  readonly description: string;
  readonly kind: PropertyKind;
  readonly nullable: boolean;
  /** PostgreSQL type of the column. */
  readonly sqlType: 'uuid' | 'text' | 'integer' | 'double precision' | 'boolean' | 'timestamptz' | 'text[]';
  /** Values of a `choice`. */
  readonly values?: readonly string[];
  readonly operators: readonly Operator[];
  /** Set for texts that may have thousands of characters. */
  readonly long?: true;
  /** Kind of node that it names. Callers who don't see that node don't see its id either. */
  readonly refersTo?: string;
}

export interface NodeType {
  readonly name: string;
  readonly description: string;
  /** View with the columns of the properties, and those that visibility depends on. */
  readonly view: string;
  /** View of its nodes at each version of their tool, and its column of the version. */
  readonly kept?: { readonly view: string; readonly version: string };
  /** Visible by the services and environments of the token. */
  readonly byService?: true;
  /** Visible to administrators whose token nothing narrows. */
  readonly administered?: true;
  /** Some nodes belong to all hosts. */
  readonly shared?: true;
  /** Visible by the `maxSensitivityTier` of the token. */
  readonly byTier?: true;
  /** In an agent scope, visible by the ids of another kind of node, which this property names. */
  readonly belongsTo?: { readonly node: string; readonly property: string };
  /** Columns beside `id` where a query names none. */
  readonly defaults: readonly string[];
  readonly properties: readonly Property[];
}

/** The nodes that a relationship connects, and where it is stored. */
export type Pair = { readonly from: string; readonly to: string } & (
  | {
      /** Column of the `to` node's view that holds the id of the `from` node. */
      readonly reference: string;
    }
  | {
      /** View with `from_id`, `to_id` and the properties of the relationship. */
      readonly link: string;
    }
);

export interface RelationshipType {
  readonly name: string;
  readonly description: string;
  readonly properties: readonly Property[];
  readonly pairs: readonly Pair[];
}

const nulls = ['is_null', 'is_not_null'] as const satisfies readonly Operator[];
const ordered = ['gt', 'gte', 'lt', 'lte'] as const satisfies readonly Operator[];
const equal = ['eq', 'in'] as const satisfies readonly Operator[];
const tokens = ['token_match', 'all_tokens', 'any_tokens'] as const satisfies readonly Operator[];
const parts = ['contains', 'starts_with', 'ends_with'] as const satisfies readonly Operator[];

/** The id of the node itself. */
export function id(sqlType: 'uuid' | 'text', description: string): Property {
  return { name: 'id', description, kind: 'id', nullable: false, sqlType, operators: [...equal, ...nulls] };
}

/** The id of another node; null for callers who don't see that. */
export function reference(to: string, sqlType: 'uuid' | 'text', name: string, description: string): Property {
  return { ...id(sqlType, description), name, refersTo: to };
}

export function text(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'text', nullable: false, sqlType: 'text' },
    operators: [...equal, ...ordered, ...parts, ...tokens, ...nulls],
  };
}

/** A text that may have thousands of characters. */
export function longText(name: string, description: string): Property {
  return { ...text(name, description), long: true };
}

/** One of a list of values. */
export function choice(name: string, values: readonly string[], description: string): Property {
  return {
    ...{ name, description, kind: 'choice', nullable: false, sqlType: 'text', values },
    operators: [...equal, ...nulls],
  };
}

export function integer(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'integer', nullable: false, sqlType: 'integer' },
    operators: [...equal, ...ordered, ...nulls],
  };
}

export function number(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'number', nullable: false, sqlType: 'double precision' },
    operators: [...equal, ...ordered, ...nulls],
  };
}

export function boolean(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'boolean', nullable: false, sqlType: 'boolean' },
    operators: ['eq', ...nulls],
  };
}

/** RFC 3339, UTC. */
export function datetime(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'datetime', nullable: false, sqlType: 'timestamptz' },
    operators: ['eq', ...ordered, ...nulls],
  };
}

/** A list of texts; `contains` asks for one of them. */
export function list(name: string, description: string): Property {
  return {
    ...{ name, description, kind: 'list', nullable: false, sqlType: 'text[]' },
    operators: ['contains', ...nulls],
  };
}

export function orNull(property: Property): Property {
  return { ...property, nullable: true };
}
