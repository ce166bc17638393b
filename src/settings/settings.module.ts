/** The settings of hosts over HTTP, and their wiring. */
import { Body, Controller, Get, Inject, Module, Put } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { WriteContext } from '../eventsourcing/command.js';
import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, Context } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { receiptAnswer } from '../platform/http/schemas.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { WriteCommand } from '../platform/use-cases/write-command.js';
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
    'Whether API versions made from now on withhold tools while a breaking or suspicious change of theirs is not ' +
    'accepted (default true), and tools without an endpoint while one that comes from now on is not. A version can be ' +
    'set apart by its own quarantine.',
} as const;

const hostSettingsBody = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: { commandTools, quarantine },
} as const satisfies JSONSchema;
type HostSettingsBody = FromSchema<typeof hostSettingsBody>;

const hostSettingsAnswer = {
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

const id = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
const example = { commandTools: true, quarantine: true };
const written = {
  aggregateVersion: 1,
  position: 58,
  updateTs: '2026-11-21T08:00:00.000Z',
  updateUser: 'ada',
};

@Controller('v1/hosts/:hostId/settings')
class HostSettingsController {
  constructor(
    private readonly commandBus: CommandBus,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  @Get()
  @Operation({
    id: 'getHostSettings',
    summary: 'Get the settings of the host',
    scope: 'catalog:read',
    confined: 'refused',
    answer: hostSettingsAnswer,
    example: { answer: { ...example, ...written } },
  })
  get(@CallerOf() { hostId }: Caller) {
    return storedSettings(this.database.of(hostId), hostId);
  }

  @Put()
  @Operation({
    id: 'putHostSettings',
    summary: 'Change the settings of the host',
    description: 'What is left out stays as it is.',
    scope: 'catalog:admin',
    confined: 'refused',
    body: hostSettingsBody,
    answer: receiptAnswer,
    example: { body: example, answer: { id, version: 1, position: 58, changed: true } },
  })
  put(@Context() context: WriteContext, @Body() settings: HostSettingsBody): Promise<Reply> {
    const { hostId } = context;
    const plan = () => [new ChangeHostSettings(hostId, hostId, { settings })];
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'locked',
        plan,
        reply: receipt(200, ({ after }) => ({ ...(after as HostSettings) })),
      }),
    );
  }
}

export const settingsSlice: Slice = {
  name: 'settings',
  events: [hostSettingsChanged],
  aggregates: [aggregate(hostSettingsDecider, [ChangeHostSettings])],
  projections: [hostSettingsProjection],
};

@Module({ imports: [CqrsModule], controllers: [HostSettingsController] })
export class SettingsModule {}
