import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { dateTime, listProperties } from '../platform/http/schemas.js';

/** Chosen by the caller; stands in paths. */
export const apiId = {
  type: 'string',
  pattern: '^[A-Za-z0-9._-]{1,64}$',
  description: 'Chosen by you: up to 64 letters, digits, dots, underscores and hyphens.',
} as const;

/** One line of text without blanks at its ends. */
export function line<const Max extends number>(max: Max) {
  return {
    type: 'string',
    minLength: 1,
    maxLength: max,
    pattern: '^[^\\s\\p{Cc}]([^\\p{Cc}]*[^\\s\\p{Cc}])?$',
  } as const;
}

const words = {
  apiName: line(128),
  apiDesc: { type: ['string', 'null'], maxLength: 4000 },
  businessGroup: { type: ['string', 'null'], maxLength: 64 },
  lob: { type: ['string', 'null'], maxLength: 64, description: 'Line of business.' },
  platform: { type: ['string', 'null'], maxLength: 64 },
  capability: { type: ['string', 'null'], maxLength: 64 },
  region: { type: ['string', 'null'], maxLength: 64 },
  gitRepo: { type: ['string', 'null'], maxLength: 1024 },
} as const;

export const newApi = {
  type: 'object',
  additionalProperties: false,
  required: ['apiId', 'apiName'],
  properties: { apiId, ...words },
} as const satisfies JSONSchema;
export type NewApi = FromSchema<typeof newApi>;

export const apiPatch = {
  type: 'object',
  additionalProperties: false,
  properties: words,
} as const satisfies JSONSchema;
export type ApiPatch = FromSchema<typeof apiPatch>;

export const apiListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...listProperties,
    q: { type: 'string', minLength: 1, maxLength: 200, description: 'Part of the id, name or description.' },
  },
} as const satisfies JSONSchema;
export type ApiListQuery = FromSchema<typeof apiListQuery>;

/** Of every record that is read: its version for If-Match, and its last change. */
export const recordProperties = {
  active: { type: 'boolean' },
  aggregateVersion: { type: 'integer', description: 'For If-Match.' },
  position: { type: 'integer', description: 'Position of the last event that changed the record.' },
  updateTs: dateTime,
  updateUser: { type: 'string' },
} as const;
export const recordMembers = ['active', 'aggregateVersion', 'position', 'updateTs', 'updateUser'] as const;

export const apiAnswer = {
  type: 'object',
  required: ['apiId', 'apiName', 'apiDesc', ...recordMembers],
  properties: { apiId, ...words, ...recordProperties },
} as const satisfies JSONSchema;
export type ApiAnswer = FromSchema<typeof apiAnswer>;
