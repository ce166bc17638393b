import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

const commandTools = {
  type: 'boolean',
  description:
    'true: /mcp lists list_commands and invoke_command, and nothing else; false: the direct tools.',
} as const;
const quarantine = {
  type: 'boolean',
  description:
    'Whether API versions made from now on withhold tools while a breaking or suspicious change of theirs is not ' +
    'accepted (default true), and tools without an endpoint while one that comes from now on is not. A version can be ' +
    'set apart by its own quarantine.',
} as const;

export const hostSettingsBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { commandTools, quarantine },
} as const satisfies JSONSchema;
export type HostSettingsBody = FromSchema<typeof hostSettingsBody>;

export const hostSettingsAnswer = {
  type: 'object',
  required: ['commandTools', 'quarantine', 'aggregateVersion', 'position', 'updateTs', 'updateUser'],
  properties: {
    commandTools,
    quarantine,
    aggregateVersion: { type: 'integer', description: 'For If-Match; 0 where nothing was ever changed.' },
    position: { type: 'integer' },
    updateTs: { type: ['string', 'null'], format: 'date-time' },
    updateUser: { type: ['string', 'null'] },
  },
} as const satisfies JSONSchema;
export type HostSettingsAnswer = FromSchema<typeof hostSettingsAnswer>;
