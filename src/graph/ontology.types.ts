/** What a property's values are: `list` is a list of texts, `id` names a node. */
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

/** One property of a node or a relationship: all of it has to be said, or nothing compiles. */
export interface Property {
  readonly name: string;
  readonly description: string;
  readonly kind: PropertyKind;
  readonly nullable: boolean;
  /** PostgreSQL type of the column. */
  readonly sqlType: 'uuid' | 'text' | 'integer' | 'double precision' | 'boolean' | 'timestamptz' | 'text[]';
  /** Of a `choice`. */
  readonly values?: readonly string[];
  readonly operators: readonly Operator[];
  /** A text that may have thousands of characters. */
  readonly long?: true;
  /** Kind of node that it names. Who does not see that node does not see its id either. */
  readonly refersTo?: string;
}

export interface NodeType {
  readonly name: string;
  readonly description: string;
  /** View with the columns of the properties, and `service_id`, `env_tag`, `sensitivity_tier` where they decide. */
  readonly view: string;
  /** The token's services and environments decide who sees it. */
  readonly byService?: true;
  /** Only administrators whose token nothing narrows see it. */
  readonly administered?: true;
  /** Some of them belong to all hosts. */
  readonly shared?: true;
  /** The token's `maxSensitivityTier` decides who sees it. */
  readonly byTier?: true;
  /** For whoever is confined to ids: they are those of another kind of node, which this property names. */
  readonly belongsTo?: { readonly node: string; readonly property: string };
  /** Properties that are given beside `id` where a query names none. */
  readonly defaults: readonly string[];
  readonly properties: readonly Property[];
}

/** Between which nodes a relationship runs, and where it is kept. */
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
