import { Body, Controller, Get, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, Context } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { receiptAnswer } from '../platform/http/schemas.js';
import { ChangeHostSettings } from './host-settings.commands.js';
import type { HostSettings } from './host-settings.events.js';
import { GetHostSettings } from './host-settings.queries.js';
import { hostSettingsAnswer, hostSettingsBody, type HostSettingsBody } from './host-settings.schemas.js';

const id = '0192f0c4-7a51-7c10-8f7e-6d1b6a3c5e01';
const example = { commandTools: true, quarantine: true };
const written = {
  aggregateVersion: 1,
  position: 58,
  updateTs: '2026-11-21T08:00:00.000Z',
  updateUser: 'ada',
};

@Controller('v1/hosts/:hostId/settings')
export class HostSettingsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
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
    return this.queryBus.execute(new GetHostSettings(hostId));
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
