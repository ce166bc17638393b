import type { JSONSchema } from 'json-schema-to-ts';
import { impactAnswer } from '../../endpoints/shared.js';
import { uuid } from '../../platform/http/schemas.js';
import { versionReceipt } from './version-answers.schemas.js';

const line = { type: 'string' } as const;

/** Skills, agents and gateways, and from which version to which. */
export const movesAnswer = {
  title: 'VersionMoves',
  type: 'object',
  description:
    'Whom an approval, a retirement or another range of a link gives another version, or none; empty once it is decided.',
  required: ['skills', 'agents', 'gateways'],
  properties: {
    skills: {
      type: 'array',
      items: {
        title: 'MovedLink',
        type: 'object',
        required: ['skillId', 'skillName', 'range', 'from', 'to'],
        properties: {
          skillId: uuid,
          skillName: line,
          range: { type: ['string', 'null'], description: 'Null: the newest, whichever it is.' },
          from: { type: ['string', 'null'], description: 'Null: none.' },
          to: { type: ['string', 'null'], description: 'Null: none.' },
        },
      },
    },
    agents: impactAnswer.properties.agents,
    gateways: {
      type: 'array',
      description: 'Gateways that offer the tool.',
      items: {
        type: 'object',
        required: ['gatewayId', 'serviceId', 'envTag'],
        properties: { gatewayId: uuid, serviceId: line, envTag: line },
      },
    },
  },
} as const satisfies JSONSchema;

export const movingReceipt = {
  ...versionReceipt,
  required: [...versionReceipt.required, 'moves'],
  properties: {
    ...versionReceipt.properties,
    moves: movesAnswer,
  },
} as const satisfies JSONSchema;
