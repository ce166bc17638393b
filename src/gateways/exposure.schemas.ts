import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { listQuery, recordMembers, recordProperties, text, uuid } from '../platform/http/schemas.js';
import { credential } from './gateway.fields.js';

const targetHost = {
  ...text(2000),
  description:
    'Where the gateway sends calls: of an HTTP API its base address, like https://accounts.example.com/v1; of an MCP server or a GraphQL service its own.',
} as const;
const protocol = {
  type: 'string',
  pattern: '^[a-z][a-z0-9+.-]{0,15}$',
  description: 'Protocol of the downstream service, like https.',
} as const;

/** Known members; a gateway may know more of them. */
const runtime = {
  type: 'object',
  maxProperties: 50,
  properties: {
    cacheTtlSeconds: { type: 'integer', minimum: 0 },
    costTier: { type: 'string', maxLength: 64 },
    estimatedLatencyMs: { type: 'integer', minimum: 0 },
    retry: { type: 'object' },
    rateLimit: { type: 'object' },
    allowPrivateTargetHost: { type: 'boolean' },
    auth: { type: 'object', ...credential },
  },
  description:
    'For the gateway alone: caching, cost, retries, limits, and the name of its credential downstream.',
} as const;

const exposureBody = {
  type: 'object',
  additionalProperties: false,
  required: ['toolId'],
  properties: { toolId: uuid, targetHost, protocol, runtime },
} as const satisfies JSONSchema;
export type ExposureBody = FromSchema<typeof exposureBody>;

export const exposureSelection = {
  type: 'object',
  additionalProperties: false,
  required: ['tools'],
  properties: {
    tools: {
      type: 'array',
      maxItems: 5000,
      items: exposureBody,
      description: 'All that the gateway shall expose.',
    },
  },
} as const satisfies JSONSchema;
export type ExposureSelection = FromSchema<typeof exposureSelection>;

export const exposureListQuery = listQuery;
export type ExposureListQuery = FromSchema<typeof exposureListQuery>;

export const exposureAnswer = {
  type: 'object',
  required: [
    'gatewayId',
    'toolId',
    'toolName',
    'toolActive',
    'targetHost',
    'protocol',
    'runtime',
    ...recordMembers,
  ],
  properties: {
    gatewayId: uuid,
    toolId: uuid,
    toolName: { type: 'string' },
    toolActive: { type: 'boolean', description: 'False: it is selected, and left out of the configuration.' },
    targetHost: { type: ['string', 'null'] },
    protocol: { type: ['string', 'null'] },
    runtime: { type: 'object' },
    ...recordProperties,
    active: { type: 'boolean', description: 'False: the tool was taken off the gateway.' },
  },
} as const satisfies JSONSchema;
export type ExposureAnswer = FromSchema<typeof exposureAnswer>;

export const exposureReceiptsAnswer = {
  type: 'object',
  required: ['items', 'position'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'version', 'position', 'changed', 'toolId'],
        properties: {
          id: uuid,
          version: { type: 'integer' },
          position: { type: 'integer' },
          changed: { type: 'boolean' },
          toolId: uuid,
        },
      },
    },
    position: { type: 'integer' },
  },
} as const satisfies JSONSchema;
