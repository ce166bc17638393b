import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { dateTime, listProperties, uuid } from '../platform/http/schemas.js';
import { kinds } from './search-document.js';

const status = { type: 'string', enum: ['pending', 'ready', 'failed'] } as const;
const kind = { type: 'string', enum: kinds } as const;

export const embeddingListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...listProperties,
    status: { ...status, description: 'failed ones are tried again.' },
    kind,
    model: { type: 'string', minLength: 1, maxLength: 512 },
  },
} as const satisfies JSONSchema;
export type EmbeddingListQuery = FromSchema<typeof embeddingListQuery>;

const textOrNull = { type: ['string', 'null'] } as const;

export const listedEmbedding = {
  type: 'object',
  required: [
    'kind',
    'id',
    'name',
    'sourceField',
    'sourceHash',
    'model',
    'dimension',
    'status',
    'attempts',
    'error',
    'embeddedAt',
  ],
  properties: {
    kind,
    id: { ...uuid, description: 'Of the tool, skill or endpoint.' },
    name: { type: 'string' },
    sourceField: { type: 'string', enum: ['text', 'example'] },
    sourceHash: {
      type: 'string',
      description: 'Hex SHA-256 of the text: unchanged, it is not embedded again.',
    },
    model: { type: 'string' },
    dimension: { type: 'integer' },
    status,
    attempts: { type: 'integer' },
    error: textOrNull,
    embeddedAt: { ...dateTime, type: ['string', 'null'] },
  },
} as const satisfies JSONSchema;
export type ListedEmbedding = FromSchema<typeof listedEmbedding>;

export const embeddingProgress = {
  type: 'object',
  required: ['model', 'dimension', 'live', 'models'],
  properties: {
    model: { type: 'string', description: 'What the environment names.' },
    dimension: { type: 'integer' },
    live: { type: ['string', 'null'], description: 'The model whose vectors are complete and in use.' },
    models: {
      type: 'array',
      items: {
        type: 'object',
        required: ['model', 'pending', 'ready', 'failed'],
        properties: {
          model: { type: 'string' },
          pending: { type: 'integer' },
          ready: { type: 'integer' },
          failed: { type: 'integer' },
        },
      },
    },
    degraded: {
      type: 'array',
      items: { type: 'string', enum: ['index'] },
      description: '`index`: the latest changes are not in yet.',
    },
  },
} as const satisfies JSONSchema;
export type EmbeddingProgress = FromSchema<typeof embeddingProgress>;
