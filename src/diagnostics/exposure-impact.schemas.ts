import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, uuid } from '../platform/http/schemas.js';

/** As many as a gateway may expose. */
const MAX_TOOLS = 5000;

export const selection = {
  type: 'object',
  additionalProperties: false,
  required: ['toolIds'],
  properties: {
    toolIds: {
      type: 'array',
      maxItems: MAX_TOOLS,
      uniqueItems: true,
      items: uuid,
      description: 'All that the gateway shall expose.',
    },
  },
} as const satisfies JSONSchema;

const name = { type: 'string' } as const;
const names = { type: 'array', items: name } as const;
const tools = { type: 'array', items: objectOf({ toolId: uuid, name }) } as const;

export const impactAnswer = objectOf({
  added: tools,
  removed: tools,
  skills: { type: 'array', items: objectOf({ skillId: uuid, name }), description: 'That lose tools.' },
  agents: {
    type: 'array',
    items: objectOf({
      ...{ agentDefId: uuid, name, serviceId: name, envTag: name },
      loses: { ...names, description: 'Tools that no other of its gateways exposes.' },
      gains: { ...names, description: 'Tools that none of its gateways exposes yet.' },
    }),
  },
});
export type ExposureImpact = FromSchema<typeof impactAnswer>;
