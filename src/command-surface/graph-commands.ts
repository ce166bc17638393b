/** Declares the commands on the graph: names, parameters, results. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import {
  graphAnswerSchema,
  pins,
  querySchemas,
  schemaAnswerSchema,
  statusAnswer,
  versionedSchema,
} from '../graph/shared.js';
import type { CommandSpec } from './agent-command.js';

export const readers = ['catalog:agent', 'catalog:read'] as const;

const { node, relationship, querySchema } = querySchemas;
const { entity, columns, filters, node_ids, without } = node.properties;
const around = querySchema.properties.neighbors.properties;
const between = querySchema.properties.path.properties;
const { limit, aggregations, group_by, aggregation_sort, order_by } = querySchema.properties;
const { after } = querySchema.properties.cursor.properties;
const paged = { limit, after } as const;
const selector = {
  type: 'object',
  additionalProperties: false,
  required: ['entity'],
  properties: { entity, filters, node_ids },
} as const satisfies JSONSchema;

const reading = { scope: readers, writes: false, execution: 'direct' } as const;
const asking = { ...reading, result: graphAnswerSchema } as const;

export const graphSpecs = [
  {
    ...reading,
    name: 'get_graph_schema',
    result: schemaAnswerSchema,
    summary: 'What the graph is made of',
    description:
      'Names of the node and relationship types. expand_nodes and expand_relationship_types add their properties, types, values and operators. Ask before the first query, and again for the node that an error names.',
    properties: {
      expand_schema: { type: 'boolean' },
      expand_nodes: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 200 } },
      expand_relationship_types: { type: 'array', maxItems: 50, items: { type: 'string', maxLength: 200 } },
      revision: {
        type: 'string',
        maxLength: 200,
        description:
          'The revision that you have: while it is current, the answer says so, and gives only what is expanded.',
      },
    },
  },
  {
    ...reading,
    name: 'get_graph_status',
    result: statusAnswer,
    summary: 'How much of the graph you see',
    description: 'Counts of the nodes you see, versions of the language and of answers, limits of queries.',
    properties: {},
  },
  {
    ...reading,
    name: 'get_query_dsl',
    result: versionedSchema,
    summary: 'The query language as a JSON Schema',
    description: 'The full grammar of query_graph, with its semantic version.',
    properties: {},
  },
  {
    ...reading,
    name: 'get_response_format',
    result: versionedSchema,
    summary: 'The shape of answers as a JSON Schema',
    description:
      'The shape of answers of the graph commands in the format raw, with its semantic version to pin.',
    properties: {},
  },
  {
    ...asking,
    name: 'find_nodes',
    summary: 'Find nodes of one kind by their properties',
    description:
      'Nodes of one entity that meet all filters: {"name": {"contains": "account"}, "destructive": true}. order_by is a property, with - before it descending.',
    properties: {
      ...{ entity, filters, columns, node_ids, without },
      order_by: { type: 'string', pattern: '^-?[a-zA-Z]\\w{0,63}$' },
      ...paged,
    },
    required: ['entity'],
  },
  {
    ...asking,
    name: 'traverse_relationships',
    summary: 'Follow relationships between nodes',
    description:
      'Nodes with aliases, and relationships between aliases of 1 to 3 hops: which skills use which tools, which agents are given them.',
    properties: {
      nodes: { type: 'array', minItems: 1, maxItems: 5, items: node },
      relationships: { type: 'array', minItems: 1, maxItems: 5, items: relationship },
      order_by,
      ...paged,
    },
    required: ['nodes', 'relationships'],
  },
  {
    ...asking,
    name: 'explore_neighbors',
    summary: 'All that is around one node',
    description:
      'Nodes within max_hops of one node, by any relationship unless rel_types names some; node_types and filters keep some of them.',
    properties: {
      entity,
      node_id: { type: 'string', minLength: 1, maxLength: 512 },
      ...around,
      ...paged,
    },
    required: ['entity', 'node_id'],
  },
  {
    ...asking,
    name: 'find_paths',
    summary: 'The shortest ways between two nodes',
    description:
      'Shortest paths of at most max_depth steps, in any direction: how an endpoint reaches an agent.',
    properties: {
      from: selector,
      to: selector,
      rel_types: between.rel_types,
      node_types: between.node_types,
      filters: between.filters,
      max_depth: { type: 'integer', minimum: 1, maximum: 3 },
      ...paged,
    },
    required: ['from', 'to'],
  },
  {
    ...asking,
    name: 'aggregate_nodes',
    summary: 'Count and sum nodes, grouped',
    description:
      'aggregations like [{"count": "t"}, {"avg": "t.semanticWeight"}], grouped by a node ("s") or a property ("t.domain").',
    properties: {
      nodes: { type: 'array', minItems: 1, maxItems: 5, items: node },
      relationships: { type: 'array', maxItems: 5, items: relationship },
      ...{ aggregations, group_by, aggregation_sort },
      ...paged,
    },
    required: ['nodes', 'aggregations'],
  },
  {
    ...asking,
    name: 'query_graph',
    execution: 'intercepted',
    route: 'POST /v1/hosts/{hostId}/graph/query',
    summary: 'Any query of the graph, in the query language',
    description:
      'One query object as get_query_dsl describes it. raw streams NDJSON over REST; llm gives at most 30 rows.',
    properties: {
      query: { type: 'object', description: 'query_type, nodes, relationships, …' },
      ...pins,
    },
    required: ['query'],
  },
] as const satisfies readonly CommandSpec[];

export type GraphCommandName = (typeof graphSpecs)[number]['name'];
