import { Module, type DynamicModule } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { v7 } from 'uuid';
import { CommandEngine } from '../../../src/kernel/command-engine.js';
import { KernelModule } from '../../../src/kernel/kernel.module.js';
import type { Follower } from '../../../src/kernel/follower-runner.js';
import { Heads } from '../../../src/kernel/heads.js';
import { LogVerifier } from '../../../src/kernel/log-verifier.js';
import { Rebuild } from '../../../src/kernel/rebuild.js';
import { DATABASE } from '../../../src/kernel/sql.js';
import { until } from '../../until.js';
import { eachDatabase } from '../databases.js';
import { accountSlice, makeAccountTables, OpenAccount, write } from './account.slice.js';

@Module({})
class GivenDatabase {}

eachDatabase((open) => {
  test('a write goes to the log, and all is there to be injected', async () => {
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
    const imports = [given, KernelModule.forRoot([accountSlice], [follower])];
    const app = await Test.createTestingModule({ imports }).compile();
    await app.init();
    const host = v7();
    const opening = write(host, [new OpenAccount(host, v7(), { name: 'a' })]);
    expect(await app.get(CommandEngine).execute(opening)).toMatchObject({ version: 1, position: 1 });
    expect(await app.get(Heads).position(host)).toBe(1);
    for (const provided of [Rebuild, LogVerifier]) expect(app.get(provided)).toBeDefined();
    await until(
      () => followed,
      (types) => types.length > 0,
    );
    expect(followed).toEqual(['AccountOpenedEvent']);
    await app.close();
  });
});
