/** The profile of an agent: whom it speaks for, and how far it may go. Pure. */
import { tiers } from '../platform/auth/sensitivity-tier.js';
import { line, uuid } from '../platform/http/schemas.js';
import { field, type Values } from '../platform/records/fields.js';

const textOrNull = { type: ['string', 'null'] } as const;
const texts = { type: 'array', items: { type: 'string' } } as const;

function names(max: number, description: string) {
  const shown = { type: 'array', maxItems: 100, uniqueItems: true, items: line(max) } as const;
  return field({ sql: 'text[]', shown: { ...shown, description, default: [] }, stored: texts });
}

export const agentProfile = {
  modelProvider: field({
    sql: 'text',
    shown: { ...textOrNull, minLength: 1, maxLength: 64, default: null },
    stored: textOrNull,
  }),
  modelName: field({
    sql: 'text',
    shown: { ...textOrNull, minLength: 1, maxLength: 126, default: null },
    stored: textOrNull,
  }),
  temperature: field({
    sql: 'double precision',
    shown: { type: ['number', 'null'], minimum: 0, maximum: 2, default: null },
    stored: { type: ['number', 'null'] },
  }),
  maxTokens: field({
    sql: 'integer',
    shown: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 100_000_000,
      description: 'Most tokens of one answer of the model.',
      default: null,
    },
    stored: { type: ['integer', 'null'] },
  }),
  personas: names(126, 'A tool that names personas is given only to an agent with one of them.'),
  maxSensitivityTier: field({
    sql: 'text',
    shown: {
      type: 'string',
      enum: tiers,
      description: 'Tools above it are withheld. Raising it needs catalog:admin.',
      default: 'internal',
    },
    stored: { enum: tiers },
  }),
  gatewayIds: field({
    sql: 'text[]',
    shown: {
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: uuid,
      description: 'The gateways through which the agent calls its tools.',
      default: [],
    },
    stored: texts,
  }),
  domains: names(128, 'Where it names some: only tools of these domains, or below one of them by a dot.'),
  semanticNamespaces: names(128, 'The same for semantic namespaces.'),
};

export type AgentProfile = Values<typeof agentProfile>;
