import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { dateTime, uuid } from '../http/schemas.js';

const count = { type: 'integer', minimum: 0 } as const;
const hex = { type: 'string', pattern: '^[0-9a-f]{64}$' } as const;

export const logQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    after: { ...count, default: 0, description: 'Position of the last event already read.' },
    limit: { type: 'integer', minimum: 1, maximum: 500, default: 50 },
  },
} as const satisfies JSONSchema;
export type LogQuery = FromSchema<typeof logQuery>;

export const historyQuery = {
  ...logQuery,
  properties: {
    ...logQuery.properties,
    after: { ...count, default: 0, description: 'Version of the last event already read.' },
  },
} as const satisfies JSONSchema;

export const streamQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    after: {
      ...count,
      default: 0,
      description: 'Position to go on from; the header Last-Event-ID goes before it.',
    },
  },
} as const satisfies JSONSchema;
export type StreamQuery = FromSchema<typeof streamQuery>;

/** CloudEvents 1.0 with the extensions of contract 3. */
const recordedEvent = {
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'subject', 'time', 'data', 'host', 'position', 'hash'],
  properties: {
    specversion: { const: '1.0' },
    id: uuid,
    source: { type: 'string' },
    type: { type: 'string' },
    subject: { type: 'string' },
    time: dateTime,
    datacontenttype: { const: 'application/json' },
    dataschema: { type: 'string' },
    data: { type: ['object', 'null'], description: 'Null where it was erased; its digest stays.' },
    host: uuid,
    user: { type: 'string' },
    clientid: { type: 'string' },
    aggregatetype: { type: 'string' },
    aggregateid: { type: 'string' },
    aggregateversion: count,
    position: count,
    correlationid: { type: 'string' },
    causationid: uuid,
    datadigest: hex,
    hash: hex,
  },
} as const satisfies JSONSchema;

export const logAnswer = {
  type: 'object',
  required: ['items'],
  properties: { items: { type: 'array', items: recordedEvent } },
} as const satisfies JSONSchema;

export const eventExample = {
  specversion: '1.0',
  id: '0192f0c4-8a10-7d21-9b3c-1f2e3d4c5b6a',
  source: 'urn:portal-catalog',
  type: 'SkillDeactivatedEvent',
  subject: '0192f0c4-8a10-7d21-9b3c-1f2e3d4c5b60',
  time: '2026-11-21T08:00:00.000Z',
  datacontenttype: 'application/json',
  dataschema: 'urn:portal-catalog:event:SkillDeactivatedEvent:1',
  data: {},
  host: '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01',
  user: 'ada',
  aggregatetype: 'Skill',
  aggregateid: '0192f0c4-8a10-7d21-9b3c-1f2e3d4c5b60',
  aggregateversion: 4,
  position: 57,
  correlationid: '3f0f5a0e-5d0c-4f43-8d0e-4a8a3f3f7f11',
  datadigest: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};
