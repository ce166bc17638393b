import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

const commandTools = {
  type: 'boolean',
  description:
    'true: /mcp lists list_commands and invoke_command, and nothing else; false: the direct tools.',
} as const;

export const hostSettingsBody = {
  type: 'object',
  additionalProperties: false,
  required: ['commandTools'],
  properties: { commandTools },
} as const satisfies JSONSchema;
export type HostSettingsBody = FromSchema<typeof hostSettingsBody>;

export const hostSettingsAnswer = {
  type: 'object',
  required: ['commandTools', 'aggregateVersion', 'position', 'updateTs', 'updateUser'],
  properties: {
    commandTools,
    aggregateVersion: { type: 'integer', description: 'For If-Match; 0 where nothing was ever changed.' },
    position: { type: 'integer' },
    updateTs: { type: ['string', 'null'], format: 'date-time' },
    updateUser: { type: ['string', 'null'] },
  },
} as const satisfies JSONSchema;
export type HostSettingsAnswer = FromSchema<typeof hostSettingsAnswer>;
