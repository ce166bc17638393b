import { setTimeout as delay } from 'node:timers/promises';
import type { Command, Reply, Write } from './command.js';
import { changesOf, Decision, type Decided, type StreamReader } from './decision.js';
import { isUniqueViolation, type Domain } from './domain.js';
import { DraftedRows } from './drafted-rows.js';
import { StreamMoved } from './event-store.js';
import type { OwnWrite } from './heads.js';
import { HostLanes } from './host-lanes.js';
import { LockingSql } from './locking-sql.js';
import { LogEnds } from './log-ends.js';
import { isMuch, refuseMoved } from './log-writing.js';
import { hasMoved, PostgresEventStore } from './postgres-event-store.js';
import { prepared } from './prepared-sql.js';
import type { Caused } from './reaction.js';
import { SharedCommits } from './shared-commits.js';
import type { Database, Sql, Transaction } from './sql.js';
import { finish, type Written } from './write-ending.js';

/** What an instance does when one of its own writes was committed. */
export interface CommitListener {
  /** `at`: a moment (`performance.now()`) at which the write's position was surely the end of the host's log. */
  committed(write: OwnWrite, at: number): void;
}

const MAX_DEPTH = 3;
/** Times that an optimistic plan is made: the first, and twice more when the world has changed under it. */
const ATTEMPTS = 3;

/** For how long work that can wait gives way to writes. */
export interface Courtesy {
  /** Milliseconds without a write after which the next one is not expected at once. */
  readonly lull: number;
  /** Milliseconds that it waits at the most, though writes never cease. */
  readonly patience: number;
}

/** Ends the transaction of a dry write. */
class RolledBack extends Error {
  constructor(readonly reply: Reply) {
    super('A dry write is rolled back.');
  }
}

/** Carries out writes: plan, decide, append, project and keep the reply, in one transaction on one host. */
export class CommandEngine {
  private readonly lanes: HostLanes;
  private readonly ends = new LogEnds();
  private readonly sharedCommits: SharedCommits;

  constructor(
    private readonly database: Database,
    private readonly domain: Domain,
    private readonly listener: CommitListener,
    /** Most writes at once that may hold a connection. */
    writers = 12,
  ) {
    this.lanes = new HostLanes(2, database.embedded ? 1 : writers);
    this.sharedCommits = new SharedCommits(database, domain, this.lanes, this.ends);
  }

  /** Resolves when the write is committed. Rejects with the kernel's errors, and then nothing has happened. */
  async execute(write: Write): Promise<Reply> {
    const { hostId } = write.context;
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt === ATTEMPTS;
      try {
        const { reply, end } = await this.attempt(write, attempt);
        if (end !== undefined) {
          this.ends.learn(hostId, end);
          this.listener.committed({ hostId, position: end.head.position, events: end.events }, end.at);
        }
        return reply;
      } catch (error) {
        const raced = hasMoved(error) || (write.mode === 'optimistic' && isUniqueViolation(error));
        if (last || !raced) throw this.domain.inItsWords(error);
      }
    }
  }

  /** Resolves when no write is under way. */
  async idle(): Promise<void> {
    await this.lanes.idle();
  }

  /** For work that can wait: resolves when no write has come for a while, patience is at its end, or the signal says so. */
  async quiet({ lull, patience }: Courtesy, signal?: AbortSignal): Promise<void> {
    const deadline = performance.now() + patience;
    while (signal?.aborted !== true) {
      const wait = Math.min(lull - this.lanes.quietFor, deadline - performance.now());
      if (wait <= 0) return;
      await delay(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The last attempt is made under the lock, where no other write can outrun it. */
  private attempt(write: Write, attempt: number): Promise<Written> {
    const trusting = attempt === 1;
    if (write.mode === 'optimistic' && attempt < ATTEMPTS) return this.optimistic(write, trusting);
    return this.lanes.run(write.context.hostId, () =>
      write.dry === true
        ? this.dry(write)
        : this.database.of(write.context.hostId).transaction((tx) => this.locked(tx, write, trusting)),
    );
  }

  private async dry(write: Write): Promise<Written> {
    try {
      return await this.database.of(write.context.hostId).transaction(async (tx) => {
        const { reply } = await this.locked(tx, write, false);
        await write.look?.(tx);
        throw new RolledBack(reply);
      });
    } catch (error) {
      if (error instanceof RolledBack) return { reply: error.reply };
      throw error;
    }
  }

  private async locked(tx: Transaction, write: Write, trustsBirths: boolean): Promise<Written> {
    const { context } = write;
    const sql = new LockingSql(prepared(tx), context.hostId);
    const store = new PostgresEventStore(tx, this.domain.types);
    const read: StreamReader = (streams) => {
      if (sql.isLocked) return store.readStreams(streams);
      sql.isLocked = true;
      return store.lockAndReadStreams(context.hostId, streams);
    };
    const decision = new Decision(this.domain, context, read, trustsBirths);
    const decided = await this.decide(decision, await write.plan(sql, false), sql);
    return finish({ tx, domain: this.domain }, { write, decision, decided });
  }

  private async optimistic(write: Write, trusting: boolean): Promise<Written> {
    const { context } = write;
    const database = this.database.of(context.hostId);
    const store = new PostgresEventStore(database, this.domain.types);
    const decision = new Decision(this.domain, context, (streams) => store.readStreams(streams), trusting);
    const sql = prepared(database);
    const decided = await this.decide(decision, await write.plan(sql, trusting), sql);
    const { events, readVersions } = decision;
    const drafted = isMuch(events) ? await DraftedRows.of(database, this.domain, events) : undefined;
    const work = { write, decision, decided, drafted };
    // What read nothing can't have been outrun: its append takes the lock, and others' may go with it.
    if (readVersions.length === 0 && write.stillHolds === undefined) {
      return this.sharedCommits.commit(work);
    }
    return this.lanes.run(context.hostId, () =>
      database.transaction(async (tx) => {
        // One after the other on the connection: what is asked second sees the world under the lock.
        const [foreseen, , holds] = await Promise.all([
          new PostgresEventStore(tx, this.domain.types).lock(context.hostId),
          refuseMoved(tx, context.hostId, readVersions),
          write.stillHolds?.(tx),
        ]);
        if (holds === false) throw new StreamMoved(context.hostId);
        return finish({ tx, domain: this.domain, foreseen }, work);
      }),
    );
  }

  /** Decides the commands and, wave by wave, what their changes cause on the floors above. */
  private async decide(
    decision: Decision,
    commands: readonly Command[],
    sql: Sql,
  ): Promise<readonly Decided[]> {
    const decided = await decision.decide(commands);
    let wave = decided;
    for (let depth = 1; ; depth += 1) {
      const caused = await this.reactionsTo(wave, sql);
      if (caused.length === 0) return decided;
      if (depth > MAX_DEPTH) throw new Error(`Reactions went deeper than ${String(MAX_DEPTH)}.`);
      wave = await decision.decideCaused(caused);
    }
  }

  private async reactionsTo(wave: readonly Decided[], sql: Sql): Promise<readonly Caused[]> {
    const changes = changesOf(wave);
    const caused: Caused[] = [];
    for (const reaction of this.domain.reactions) {
      const own = changes.filter(({ eventTypes }) => eventTypes.some((type) => reaction.on.includes(type)));
      if (own.length > 0) caused.push(...(await reaction.react(own, sql)));
    }
    return caused;
  }
}
