import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { text } from '../../platform/http/schemas.js';
import { driftFindings } from './drift.js';
import { acceptanceExample } from './drift.schemas.js';

/** As many tools as a gateway may list. Each carries the reason from then on, in every record. */
const MAX_FINDINGS = 5000;
const MAX_REASON = 300;

/** Findings of which somebody may say that they may stay: all that are differences. */
const dismissible = driftFindings.filter((each) => each !== 'in_sync');

const dismissedFindings = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_FINDINGS,
  items: {
    title: 'NamedFinding',
    type: 'object',
    additionalProperties: false,
    required: ['toolName', 'finding'],
    properties: {
      toolName: text(1000),
      finding: { type: 'string', enum: dismissible },
      version: { ...text(100), description: 'Of the tool; left out, those of all its versions are meant.' },
    },
  },
} as const;

export const driftReopening = {
  type: 'object',
  additionalProperties: false,
  required: ['findings'],
  properties: { findings: dismissedFindings },
} as const satisfies JSONSchema;
export type DriftReopeningBody = FromSchema<typeof driftReopening>;

export const driftDismissal = {
  ...driftReopening,
  required: ['findings', 'reason'],
  properties: {
    findings: dismissedFindings,
    reason: {
      ...text(MAX_REASON),
      pattern: '\\S',
      description: 'Why the difference may stay, for those who look next.',
    },
  },
} as const satisfies JSONSchema;
export type DriftDismissalBody = FromSchema<typeof driftDismissal>;

export const reopeningExample = acceptanceExample;
export const dismissalExample = {
  ...acceptanceExample,
  reason: 'The branches are read by the old client alone.',
};
