import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { Module, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { v7 } from 'uuid';
import { EventSourcingModule } from '../../../src/eventsourcing/event-sourcing.module.js';
import type { Follower } from '../../../src/eventsourcing/follower.js';
import { Heads } from '../../../src/eventsourcing/heads.js';
import { Idempotency } from '../../../src/eventsourcing/idempotency.js';
import { LogVerifier } from '../../../src/eventsourcing/log-verifier.js';
import { Rebuild } from '../../../src/eventsourcing/rebuild.js';
import { DATABASE } from '../../../src/eventsourcing/sql.js';
import { WriteCommand } from '../../../src/eventsourcing/write-command.js';
import { until } from '../../until.js';
import { eachDatabase } from '../databases.js';
import { accountSlice, makeAccountTables, OpenAccount, write } from './account.slice.js';

@Module({})
class GivenDatabase {}

eachDatabase((open) => {
  test('a write goes over the command bus to the log, and all is there to be injected', async () => {
    const database = await open();
    await makeAccountTables(database);
    const given: DynamicModule = {
      module: GivenDatabase,
      global: true,
      providers: [{ provide: DATABASE, useValue: database }],
      exports: [DATABASE],
    };
    const followed: string[] = [];
    const follower: Follower = {
      name: 'listener',
      handles: ['AccountOpenedEvent'],
      handle: (_, events) => Promise.resolve(void followed.push(...events.map(({ type }) => type))),
    };
    const imports = [given, CqrsModule.forRoot(), EventSourcingModule.forRoot([accountSlice], [follower])];
    const app = await Test.createTestingModule({ imports }).compile();
    await app.init();
    const host = v7();
    const bus = app.get(CommandBus);
    const reply = await bus.execute(
      new WriteCommand(write(host, [new OpenAccount(host, v7(), { name: 'a' })])),
    );
    expect(reply).toMatchObject({ status: 200, headers: { etag: '"1"' } });
    expect(await app.get(Heads).position(host)).toBe(1);
    for (const provided of [Idempotency, Rebuild, LogVerifier]) expect(app.get(provided)).toBeDefined();
    await until(
      () => followed,
      (types) => types.length > 0,
    );
    expect(followed).toEqual(['AccountOpenedEvent']);
    await app.close();
  });
});
