import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { dateTime, listProperties, text, uuid } from '../../platform/http/schemas.js';
import { listedVersion } from '../../tools/shared.js';
import { versionDecision, versionDecisionExample } from './version-decision.schemas.js';

/** Versions of one page: of each a report is put together. */
export const MAX_PAGE = 50;

export const deskQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    state: {
      type: 'string',
      enum: ['draft', 'in_review'],
      default: 'in_review',
      description: 'What waits for a review, or for its author to ask for one.',
    },
    apiId: { ...text(126), description: 'Of tools of this API alone.' },
    name: { ...text(64), description: 'Of tools of this name alone.' },
    limit: { type: 'integer', minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE },
    cursor: listProperties.cursor,
  },
} as const satisfies JSONSchema;
export type DeskQuery = FromSchema<typeof deskQuery>;

const { version, state, origin, authors, digest } = listedVersion.properties;
const { against, grade, numberFault, missing, needs, lint } = versionDecision;
const count = { type: 'integer', minimum: 0 } as const;

/** A version that waits, with what a reviewer wants to know before anything else. */
export const waitingVersion = {
  title: 'WaitingVersion',
  type: 'object',
  required: [
    ...['toolId', 'name', 'toolVersion', 'state', 'origin', 'authors', 'digest', 'since', 'against'],
    ...['grade', 'numberFault', 'evaluated', 'missing', 'needs', 'lint', 'reach'],
  ],
  properties: {
    toolId: uuid,
    name: { type: 'string' },
    ...{ toolVersion: version, state, origin, authors, digest },
    since: { ...dateTime, description: 'When it was written, submitted or evaluated last.' },
    ...{ against, grade, numberFault },
    evaluated: {
      type: ['boolean', 'null'],
      description: 'Whether its last evaluation has passed; null where there is none.',
    },
    missing,
    needs,
    lint,
    reach: {
      type: 'object',
      description:
        'How many skills and agents its approval gives another version, and how many gateways offer the tool.',
      required: ['skills', 'agents', 'gateways'],
      properties: { skills: count, agents: count, gateways: count },
    },
  },
} as const satisfies JSONSchema;

export const waitingVersionExample = {
  ...{ toolId: versionDecisionExample.toolId, name: 'getAccountByNo', toolVersion: '2.0.0' },
  ...{ state: 'in_review', origin: 'source', authors: ['ada'], digest: 'b0'.repeat(32) },
  ...{ since: '2026-11-23T09:30:00.000Z', against: '1.0.0', grade: 'breaking', numberFault: null },
  ...{ evaluated: false, missing: ['has not passed its evaluation'], needs: ['evaluation'], lint: [] },
  reach: { skills: 1, agents: 2, gateways: 0 },
} as const;
