import { randomUUID } from 'node:crypto';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Caller } from '../../platform/auth/caller.js';
import { visibilityOf } from '../../platform/auth/visibility.js';
import { handle, UseCase } from '../../platform/use-cases/use-case.js';
import { WorkRounds } from '../../platform/work/work-rounds.js';
import { hostsWithOverdue, overdueVersions } from './overdue-versions.lookup.js';
import { NoteOverdueVersion } from '../model/version.commands.js';

/** Notes deprecated versions of a host whose day has passed; asks again under the lock, so that each is noted once. */
export class NoteOverdueVersions extends UseCase<object, { readonly noted: number }> {}

export const overdueHandler = handle(NoteOverdueVersions, {
  load: (sql, _input, { visibility }) => overdueVersions(sql, visibility.hostId),
  decide: (due, _input, { visibility: { hostId } }) =>
    due.map(({ toolId, version }) => new NoteOverdueVersion(hostId, toolId, { version })),
  result: (outcomes) => ({ noted: outcomes.length }),
});

/** Milliseconds between two looks. */
const period = 5_000;
const actor = { user: 'deprecation-days' };

/**
 * Writes into the log that the day of a deprecation has passed, soon after it has: so caches, webhooks and streams learn of it as of
 * any other change, and the past stays what it was. Any instance may do it.
 */
@Injectable()
export class OverdueVersions implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('DeprecationDays');
  private readonly rounds = new WorkRounds<never>({
    ...{ period, atOnce: 1 },
    take: () => this.note(),
    carryOut: () => Promise.resolve(),
    failed: (error) => {
      this.log.error(`Days of deprecations could not be noted: ${String(error)}`);
    },
  });

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly commandBus: CommandBus,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  /** Waits for the write under way. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async note(): Promise<readonly never[]> {
    for (const hostId of await hostsWithOverdue(this.database.acrossHosts)) {
      const caller: Caller = {
        ...{ actor, issuer: 'urn:portal-catalog:deprecation-days', hostId, fingerprint: '' },
        ...{ services: 'all', environments: [], scopes: new Set() },
        expiresAt: Number.POSITIVE_INFINITY,
      };
      const context = { hostId, actor, correlationId: randomUUID() };
      const writer = { context, caller, visibility: visibilityOf(caller) };
      await this.commandBus.execute(new NoteOverdueVersions(writer, {}));
    }
    return [];
  }
}
