import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { text } from '../../platform/http/schemas.js';

const reason = { ...text(2000), minLength: 1 } as const;

export const approvalBody = {
  type: 'object',
  additionalProperties: false,
  required: ['digest'],
  properties: {
    digest: {
      type: 'string',
      pattern: '^[0-9a-f]{64}$',
      description:
        'Of what you have looked at, as its report shows it; refused with `version_changed` where the version is something else by now.',
    },
    override: {
      type: 'object',
      additionalProperties: false,
      required: ['reason'],
      properties: { reason },
      description:
        'Approves it although it is one’s own, or no evaluation of this content has passed. Kept with the version and shown ' +
        'wherever it is.',
    },
    acceptsFindings: {
      type: 'boolean',
      description:
        'Says that the changes are wanted which its number was not raised for. Needed where there are such (`findings_not_accepted`), and of somebody who ' +
        'has written none of it, also beside an override.',
    },
  },
} as const satisfies JSONSchema;
export type ApprovalBody = FromSchema<typeof approvalBody>;

const { digest, override } = approvalBody.properties;

/** An acceptance approves a version where one waits, and needs its digest then. */
export const acceptanceBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    digest: { ...digest, description: `Needed where a version waits. ${digest.description}` },
    override,
  },
} as const satisfies JSONSchema;
export type AcceptanceBody = FromSchema<typeof acceptanceBody>;

export const rejectionBody = {
  type: 'object',
  additionalProperties: false,
  required: ['reason'],
  properties: { reason },
} as const satisfies JSONSchema;
export type RejectionBody = FromSchema<typeof rejectionBody>;
