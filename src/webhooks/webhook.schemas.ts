import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  dateTime,
  listProperties,
  listQuery,
  recordMembers,
  recordProperties,
  text,
  uuid,
} from '../platform/http/schemas.js';
import { secretNamePattern } from '../platform/network/secret-name.js';

const words = {
  url: { ...text(2000), description: 'Where notices are sent by POST.' },
  secret: {
    type: 'string',
    pattern: secretNamePattern,
    description:
      'Name of the secret that notices are signed with: SECRETS_DIR/<hostId>/<name>.json, whose origins name the url’s.',
  },
} as const;

export const webhookBody = {
  type: 'object',
  additionalProperties: false,
  required: ['url', 'secret'],
  properties: words,
} as const satisfies JSONSchema;
export type WebhookBody = FromSchema<typeof webhookBody>;

export const webhookListQuery = listQuery;
export type WebhookListQuery = FromSchema<typeof webhookListQuery>;

export const webhookAnswer = {
  type: 'object',
  required: ['webhookId', 'url', 'secret', ...recordMembers],
  properties: { webhookId: uuid, ...words, ...recordProperties },
} as const satisfies JSONSchema;
export type WebhookAnswer = FromSchema<typeof webhookAnswer>;

const { limit, cursor } = listProperties;
const states = ['pending', 'dead'] as const;

export const deliveryListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit,
    cursor,
    state: { type: 'string', enum: states, description: 'dead: given up, to be replayed by you.' },
  },
} as const satisfies JSONSchema;
export type DeliveryListQuery = FromSchema<typeof deliveryListQuery>;

export const deliveryAnswer = {
  type: 'object',
  required: [
    'deliveryId',
    'webhookId',
    'position',
    'time',
    'state',
    'attempts',
    'nextAttemptAt',
    'lastError',
  ],
  properties: {
    deliveryId: { ...uuid, description: 'Id of the CloudEvent: the same at every attempt.' },
    webhookId: uuid,
    position: { type: 'integer', description: 'Position in the host’s log that it tells of.' },
    time: dateTime,
    state: { type: 'string', enum: states },
    attempts: { type: 'integer' },
    nextAttemptAt: { ...dateTime, description: 'Of a dead one: when it was given up, or soon after.' },
    lastError: { type: ['string', 'null'] },
  },
} as const satisfies JSONSchema;
export type DeliveryAnswer = FromSchema<typeof deliveryAnswer>;

export const replayAnswer = {
  type: 'object',
  required: ['replayed'],
  properties: { replayed: { type: 'integer', description: 'Dead letters that are due again.' } },
} as const satisfies JSONSchema;
