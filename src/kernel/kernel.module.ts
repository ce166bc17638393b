import { Module, type DynamicModule, type Provider } from '@nestjs/common';
import { CommandEngine } from './command-engine.js';
import { Domain } from './domain.js';
import { FollowerRunner, type Follower } from './follower-runner.js';
import { HeadWatcher, Heads } from './heads.js';
import { LogVerifier } from './log-verifier.js';
import { Rebuild } from './rebuild.js';
import type { Slice } from './slice.js';
import { DATABASE, type Database } from './sql.js';

/**
 * Wires the kernel for the slices given. Needs a global provider of the DATABASE token.
 * Provides {@link Domain}, {@link CommandEngine}, {@link Heads}, {@link Rebuild}, {@link LogVerifier} and {@link FollowerRunner}.
 */
@Module({})
export class KernelModule {
  static forRoot(slices: readonly Slice[], followers: readonly Follower[] = []): DynamicModule {
    const provided: Provider[] = [
      { provide: Domain, useFactory: () => new Domain(slices) },
      {
        provide: HeadWatcher,
        useFactory: (database: Database) => new HeadWatcher(database),
        inject: [DATABASE],
      },
      { provide: Heads, useExisting: HeadWatcher },
      {
        provide: CommandEngine,
        useFactory: (database: Database, domain: Domain, heads: HeadWatcher) =>
          new CommandEngine(database, domain, heads),
        inject: [DATABASE, Domain, HeadWatcher],
      },
      {
        provide: Rebuild,
        useFactory: (database: Database, domain: Domain) => new Rebuild(database, domain),
        inject: [DATABASE, Domain],
      },
      {
        provide: LogVerifier,
        useFactory: (database: Database) => new LogVerifier(database),
        inject: [DATABASE],
      },
    ];
    const followerRunner: Provider = {
      provide: FollowerRunner,
      useFactory: (database: Database, domain: Domain, heads: Heads, engine: CommandEngine) =>
        new FollowerRunner(database, domain, heads, engine, followers),
      inject: [DATABASE, Domain, Heads, CommandEngine],
    };
    return {
      module: KernelModule,
      global: true,
      providers: [...provided, followerRunner],
      exports: [...provided, followerRunner],
    };
  }
}
