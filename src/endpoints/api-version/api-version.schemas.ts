import type { JSONSchema } from 'json-schema-to-ts';
import { apiTypes } from '../../formats/shared.js';

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

/** The fields that identify an API version. */
export const versionProperties = {
  apiVersion: line(64),
  apiType: { type: 'string', enum: apiTypes },
  serviceId: { ...line(512), description: 'The service that offers it: compared with the claim sid.' },
  envTag: {
    ...line(64),
    description: 'The environment that it serves: compared with the claim env. Left out: every environment.',
  },
  apiVersionDesc: { type: ['string', 'null'], maxLength: 4000 },
  quarantine: {
    type: 'boolean',
    description:
      'Whether tools are withheld while a breaking or suspicious change of theirs is not accepted.',
  },
} as const;

export const apiVersionQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    spec: { type: 'boolean', default: false, description: 'Whether to answer the document itself.' },
  },
} as const satisfies JSONSchema;

export const exportQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['format'],
  properties: { format: { type: 'string', enum: ['lightapi'], description: 'LightAPI Description 0.1.0.' } },
} as const satisfies JSONSchema;
