/** The settings of hosts over HTTP, and their wiring. */
import { Module, Put } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { aggregate, type Slice } from '../kernel/slice.js';
import { objectOf, receiptAnswer } from '../platform/http/schemas.js';
import { readRoute, writeRoute } from '../platform/records/routes.js';
import { handle, receiptWith, UseCase, type Receipt } from '../platform/use-cases/use-case.js';
import {
  ChangeHostSettings,
  hostSettingsChanged,
  hostSettingsDecider,
  type HostSettings,
} from './host-settings.commands.js';
import { hostSettingsProjection, storedSettings } from './host-settings.lookup.js';

const commandTools = {
  type: 'boolean',
  description:
    'true: /mcp lists list_commands and invoke_command, and nothing else; false: the direct tools.',
} as const;
const quarantine = {
  type: 'boolean',
  description:
    'Whether API versions made from now on withhold a tool altogether while a breaking or suspicious change of it waits for a ' +
    'review (default false: agents go on with the version that they have). An API version can be set apart by its own quarantine.',
} as const;

const autoApprove = {
  type: 'boolean',
  description:
    'Whether texts and compatible changes of tools are approved as they come (default true). What breaks callers or is ' +
    'suspicious always waits for a review.',
} as const;

const discovery = {
  type: 'boolean',
  description:
    'Whether the public entries of the host are answered to everybody, by the standards of discovery (default false: their paths ' +
    'answer 404). The host needs an address in DISCOVERY_HOSTS.',
} as const;

const hostSettingsBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { commandTools, quarantine, autoApprove, discovery },
} as const satisfies JSONSchema;
type HostSettingsBody = FromSchema<typeof hostSettingsBody>;

const hostSettingsAnswer = objectOf({
  commandTools,
  quarantine,
  autoApprove,
  discovery,
  aggregateVersion: { type: 'integer', description: 'For If-Match; 0 where nothing was ever changed.' },
  position: { type: 'integer' },
  updateTs: { type: ['string', 'null'], format: 'date-time' },
  updateUser: { type: ['string', 'null'] },
});

const id = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
const example = { commandTools: true, quarantine: false, autoApprove: true, discovery: false };
const written = {
  aggregateVersion: 1,
  position: 58,
  updateTs: '2026-11-21T08:00:00.000Z',
  updateUser: 'ada',
};

const getRoute = readRoute(
  'settings',
  {
    id: 'getHostSettings',
    summary: 'Get the settings of the host',
    scope: 'catalog:read',
    confined: 'refused',
    answer: hostSettingsAnswer,
    example: { answer: { ...example, ...written } },
  },
  (sql, { visibility }) => storedSettings(sql, visibility.hostId),
);

/** Changes the settings that are given. */
export class PutHostSettings extends UseCase<HostSettingsBody, Receipt & HostSettings> {}

const handler = handle(PutHostSettings, {
  load: () => Promise.resolve(),
  decide: (_facts, settings, { context: { hostId } }) => [
    new ChangeHostSettings(hostId, hostId, { settings }),
  ],
  result: receiptWith(({ after }) => ({ ...(after as HostSettings) })),
});

const putRoute = writeRoute(
  [Put, 'settings'],
  {
    id: 'putHostSettings',
    summary: 'Change the settings of the host',
    description: 'What is left out stays as it is.',
    scope: 'catalog:admin',
    confined: 'refused',
    body: hostSettingsBody,
    answer: receiptAnswer,
    example: { body: example, answer: { id, version: 1, position: 58, changed: true } },
  },
  PutHostSettings,
);

export const settingsSlice: Slice = {
  name: 'settings',
  events: [hostSettingsChanged],
  aggregates: [aggregate(hostSettingsDecider, [ChangeHostSettings])],
  projections: [hostSettingsProjection],
};

@Module({ imports: [CqrsModule], controllers: [getRoute, putRoute], providers: [handler] })
export class SettingsModule {}
