/** The JSON Schema of queries, made of the ontology. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { truncations } from './query.ast.js';
import { nodeNames, relationshipNames } from '../ontology.js';

/** Semantic version of the query language: MAJOR where a valid query becomes invalid or means something else. */
export const queryLanguageVersion = '1.1.0';

export const MAX_ROWS = 1000;
export const MAX_ROWS_FOR_MODELS = 30;
/** Room for a thousand characters of the order key, and for all ids of a match. */
export const MAX_CURSOR_LENGTH = 16_000;

const alias = { type: 'string', pattern: '^[a-zA-Z_]\\w{0,63}$' } as const;
const entity = { type: 'string', enum: nodeNames } as const;
const relationship = { type: 'string', enum: relationshipNames } as const;
const direction = { type: 'string', enum: ['outgoing', 'incoming', 'both'] } as const;
const relationshipList = { type: 'array', minItems: 1, maxItems: 10, items: relationship } as const;
const entityList = { type: 'array', minItems: 1, maxItems: 11, items: entity } as const;
const foundFilters = {
  type: 'object',
  maxProperties: 10,
  description: 'As filters of a node, on the nodes of node_types, each of which must have the property.',
} as const;
const dotted = '[a-zA-Z_]\\w{0,63}(\\.[a-zA-Z]\\w{0,63})?';
/** A node's alias, or a property of it: `t`, `t.name`. */
const reference = { type: 'string', pattern: `^${dotted}$` } as const;
const nodeId = { type: 'string', minLength: 1, maxLength: 512 } as const;

const node = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'entity'],
  properties: {
    id: { ...alias, description: 'Alias of the node within the query.' },
    entity: { ...entity, description: 'Kind of node.' },
    columns: {
      description: 'Properties to give beside id: "*" for all; the usual ones where left out.',
      anyOf: [
        { const: '*' },
        { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string', maxLength: 64 } },
      ],
    },
    filters: {
      type: 'object',
      maxProperties: 10,
      description:
        'Property to value (equal), to {operator: value, …} (all hold), or to a list of those (all hold).',
    },
    node_ids: { type: 'array', minItems: 1, maxItems: 500, items: nodeId },
    id_range: {
      type: 'object',
      additionalProperties: false,
      required: ['start', 'end'],
      properties: { start: nodeId, end: nodeId },
      description: 'Ids from start to end, both included, in code point order.',
    },
    id_property: {
      type: 'string',
      maxLength: 64,
      default: 'id',
      description: 'Property that node_ids and id_range are about.',
    },
    without: {
      type: 'array',
      minItems: 1,
      maxItems: 3,
      description: 'Only nodes that are not related so to anything.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['type'],
        properties: { type: relationship, direction: { ...direction, default: 'outgoing' } },
      },
    },
  },
} as const satisfies JSONSchema;

const relationshipSelector = {
  type: 'object',
  additionalProperties: false,
  required: ['type', 'from', 'to'],
  properties: {
    type: { anyOf: [relationship, relationshipList], description: 'One type, or any of several.' },
    from: { ...alias, description: 'Alias of the node where the walk begins.' },
    to: { ...alias, description: 'Alias of the node where it ends.' },
    hops: {
      type: 'array',
      minItems: 2,
      maxItems: 2,
      items: { type: 'integer', minimum: 1, maximum: 3 },
      default: [1, 1],
      description: 'Least and most steps; a walk visits no node twice.',
    },
    direction: {
      ...direction,
      default: 'outgoing',
      description: 'Whether relationships are walked along or against their direction.',
    },
    filters: {
      type: 'object',
      maxProperties: 5,
      description: 'On properties of the relationship, at every step.',
    },
  },
} as const satisfies JSONSchema;

const aggregate = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 2,
  properties: {
    count: { ...reference, description: 'Nodes; with a property, nodes that have one.' },
    sum: reference,
    avg: reference,
    min: reference,
    max: reference,
    collect: { ...reference, description: 'Up to 100 distinct values, in order.' },
    as: { ...alias, description: 'Name of the column.' },
  },
} as const satisfies JSONSchema;

const groupKey = {
  anyOf: [
    reference,
    {
      type: 'object',
      additionalProperties: false,
      required: ['key'],
      properties: { key: reference, truncate: { type: 'string', enum: truncations }, as: alias },
    },
  ],
} as const satisfies JSONSchema;

export const querySchema = {
  type: 'object',
  additionalProperties: false,
  required: ['query_type', 'nodes'],
  properties: {
    query_type: {
      type: 'string',
      enum: ['traversal', 'neighbors', 'path_finding', 'aggregation'],
      description:
        'traversal: nodes by their properties, and by how they are related. neighbors: what is around one node. ' +
        'path_finding: the shortest ways between two. aggregation: figures, grouped.',
    },
    nodes: { type: 'array', minItems: 1, maxItems: 5, items: node },
    relationships: { type: 'array', maxItems: 5, items: relationshipSelector, default: [] },
    neighbors: {
      type: 'object',
      additionalProperties: false,
      properties: {
        direction: { ...direction, default: 'both' },
        rel_types: relationshipList,
        node_types: entityList,
        filters: foundFilters,
        max_hops: { type: 'integer', minimum: 1, maximum: 3, default: 1 },
      },
    },
    path: {
      type: 'object',
      additionalProperties: false,
      required: ['from', 'to'],
      properties: {
        type: { type: 'string', enum: ['shortest'], default: 'shortest' },
        from: alias,
        to: alias,
        max_depth: { type: 'integer', minimum: 1, maximum: 3, default: 3 },
        rel_types: relationshipList,
        node_types: { ...entityList, description: 'Kinds of nodes that may lie between the two ends.' },
        filters: foundFilters,
      },
    },
    aggregations: { type: 'array', minItems: 1, maxItems: 10, items: aggregate },
    group_by: { type: 'array', maxItems: 4, items: groupKey, default: [] },
    aggregation_sort: {
      type: 'string',
      pattern: '^-?[a-zA-Z_][\\w.]{0,130}$',
      description: 'Column of the answer; with - before it the largest first.',
    },
    order_by: {
      type: 'string',
      pattern: '^-?[a-zA-Z_]\\w{0,63}\\.[a-zA-Z]\\w{0,63}$',
      description: 'alias.property; with - before it descending. Nulls come last.',
    },
    limit: { type: 'integer', minimum: 1, maximum: MAX_ROWS, default: MAX_ROWS_FOR_MODELS },
    cursor: {
      type: 'object',
      additionalProperties: false,
      properties: {
        page_size: { type: 'integer', minimum: 1, maximum: MAX_ROWS, description: 'In place of limit.' },
        after: {
          type: 'string',
          minLength: 1,
          maxLength: MAX_CURSOR_LENGTH,
          description: 'next_cursor of the page before.',
        },
      },
    },
    options: {
      type: 'object',
      additionalProperties: false,
      properties: {
        dynamic_columns: {
          type: 'string',
          enum: ['*', 'default'],
          default: 'default',
          description: 'Properties of the nodes that neighbors and path_finding find.',
        },
        include_debug_sql: {
          type: 'boolean',
          default: false,
          description: 'Adds the statements, values left out. Needs catalog:admin.',
        },
      },
    },
  },
} as const satisfies JSONSchema;

/** A query that fits the schema: defaults are filled in, its names are not yet looked up. */
export type QueryText = FromSchema<typeof querySchema>;
export type NodeText = FromSchema<typeof node>;
export type RelationshipText = FromSchema<typeof relationshipSelector>;
