import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, text, uuid } from '../platform/http/schemas.js';
import { queryLanguageVersion, querySchema } from './reading/query.schema.js';
import { responseFormatAnswer, responseFormatVersion } from './answering/response-format.js';
import { dslAnswer } from './reading/dsl-schema.js';
import { schemaAnswer } from './schema-answer.js';

const answerFormat = {
  type: 'string',
  enum: ['raw', 'llm'],
  default: 'raw',
  description: 'raw: JSON. llm: TOON text, which costs a model fewer tokens.',
} as const;

const agentDefId = {
  ...uuid,
  description:
    'AgentScope the answer to this agent’s effective catalog. A token with agent_def_id is confined in any case.',
} as const;

const version = { type: 'string', pattern: '^\\d{1,5}(\\.\\d{1,5}){0,2}$' } as const;

/** Versions that a client was written for. */
export const pins = {
  formatVersion: {
    ...version,
    description: 'Pins the response format (1, 1.0 or 1.0.0): refused where it is not the one given.',
  },
  languageVersion: {
    ...version,
    description: 'Pins the query language in the same way: refused where the query would be read in another.',
  },
} as const;

export const queryBody = {
  type: 'object',
  additionalProperties: false,
  required: ['query'],
  properties: {
    query: {
      type: 'object',
      description: 'A query; GET …/graph/dsl gives its JSON Schema, GET …/graph/schema the names in it.',
    },
    format: answerFormat,
    ...pins,
    agentDefId,
  },
} as const satisfies JSONSchema;
export type QueryBody = FromSchema<typeof queryBody>;

const names = { type: 'array', maxItems: 50, items: text(200) } as const;

export const schemaQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    expand_schema: {
      type: 'boolean',
      default: false,
      description: 'Describes every node and relationship in full.',
    },
    expand_nodes: {
      ...names,
      description: 'Kinds of nodes to describe in full; repeated or comma-separated.',
    },
    expand_relationship_types: { ...names, description: 'Relationships to describe in full.' },
    format: answerFormat,
    revision: {
      ...text(200),
      description:
        'The revision that the client has: while it is current, the answer holds only that and what is expanded.',
    },
    agentDefId,
  },
} as const satisfies JSONSchema;
export type SchemaQuery = FromSchema<typeof schemaQuery>;

export const schemaAnswerSchema = objectOf(
  {
    format: { type: 'string' },
    revision: { type: 'string' },
    unchanged: { const: true },
    node_types: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: true,
        required: ['name'],
        properties: { name: { type: 'string' } },
      },
    },
    relationship_types: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: true,
        required: ['name', 'from', 'to'],
        properties: { name: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } },
      },
    },
  },
  ['unchanged', 'node_types', 'relationship_types'],
);

export const formatQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { format: answerFormat, agentDefId },
} as const satisfies JSONSchema;
export type FormatQuery = FromSchema<typeof formatQuery>;

export const versionedSchema = objectOf({
  format: { type: 'string' },
  version: { type: 'string', description: 'Semantic version.' },
  schema: { type: 'object', description: 'JSON Schema 2020-12.' },
});

export const statusQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { format: answerFormat, agentDefId },
} as const satisfies JSONSchema;
export type StatusQuery = FromSchema<typeof statusQuery>;

const count = { type: 'integer', minimum: 0 } as const;
const counts = {
  type: 'array',
  items: objectOf({ name: { type: 'string' }, count }),
} as const;

export const statusAnswer = objectOf(
  {
    format: { type: 'string' },
    revision: { type: 'string', description: 'Of the schema.' },
    queryLanguage: { type: 'string', description: 'Semantic version.' },
    responseFormat: { type: 'string', description: 'Semantic version.' },
    position: {
      ...count,
      description: 'End of the host’s log, which the graph is never behind; not for narrowed tokens.',
    },
    node_types: { ...counts, description: 'How many nodes the caller sees.' },
    limits: { type: 'object' },
  },
  ['position'],
);

/** Parts of the query schema, for the commands on the graph. */
export const querySchemas = {
  querySchema,
  node: querySchema.properties.nodes.items,
  relationship: querySchema.properties.relationships.items,
} as const;

const toolId = '0192f0c4-9b21-7e32-8a4d-2e3f4d5c6b7a';
const skillId = '0192f0c4-8a10-7d21-9b3c-1f2e3d4c5b60';

export const queryExample = {
  query: {
    query_type: 'traversal',
    nodes: [
      { id: 's', entity: 'Skill', columns: ['name'] },
      { id: 't', entity: 'Tool', columns: ['name'], filters: { destructive: true } },
    ],
    relationships: [{ type: 'USES_TOOL', from: 's', to: 't' }],
    order_by: 't.name',
  },
};

export const graphAnswerExample = {
  format_version: responseFormatVersion,
  query_type: 'traversal',
  nodes: [
    { type: 'Skill', id: skillId, name: 'Account clean-up' },
    { type: 'Tool', id: toolId, name: 'deleteAccount' },
  ],
  edges: [{ from: 'Skill', from_id: skillId, to: 'Tool', to_id: toolId, type: 'USES_TOOL' }],
  pagination: { has_more: false, page_rows: 1, total_rows: 1 },
};

export const schemaExample = schemaAnswer({ expand_nodes: ['ToolParam'] });
export const dslExample = { ...dslAnswer(), schema: { type: 'object' } };
export const responseFormatExample = { ...responseFormatAnswer(), schema: { type: 'object' } };

export const statusExample = {
  format: 'portal_catalog.status.v1',
  revision: `${queryLanguageVersion}#0f1e2d3c4b5a`,
  queryLanguage: queryLanguageVersion,
  responseFormat: responseFormatVersion,
  position: 57,
  node_types: [{ name: 'Tool', count: 12 }],
  limits: { rows: 1000, rowsForModels: 30 },
};
