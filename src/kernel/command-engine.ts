import { setTimeout as delay } from 'node:timers/promises';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Command, OpenTransaction, Outcome, WriteContext } from './command.js';
import { changesOf, Decision, type Decided } from './decision.js';
import { isUniqueViolation, type Domain } from './domain.js';
import type { Head } from './envelope.js';
import type { RecordedEvent } from './event.js';
import { append, beginLog, EventStore, isStreamMoved, lockHead } from './event-store.js';
import type { CommitListener } from './heads.js';
import { type IdlePolicy, PerHostLimiter } from './per-host-limiter.js';
import { prepared, type Database, type Sql, type Transaction } from './sql.js';
import type { Caused } from './slice.js';
import type { UnitOfWork } from './unit-of-work.js';
import { hostHash, inSpan, type OpenSpan, type Said } from './spans.js';
import { SharedCommits } from './shared-commits.js';

/** Most waves of reactions that one write causes. */
const MAX_DEPTH = 3;
/** Times that a write is tried: the last time it prepares under the lock, where no other write can outrun it. */
const ATTEMPTS = 3;

/** What was prepared, and the end of the host's log then. */
interface Basis<Prepared> {
  readonly prepared: Prepared;
  readonly position: number;
}

/** The decisions of a write, and the head of the log behind which its events go. */
interface UnderLock {
  readonly head: Head;
  /** A moment at which the host's lock was held. */
  readonly at: number;
  readonly decision: Decision;
  readonly decided: readonly Decided[];
}

interface CarriedOut<Result> {
  readonly result: Result;
  readonly appended: readonly RecordedEvent[];
  /** A moment at which the host's lock was held. */
  readonly at: number;
}

/** Signals that what was prepared no longer holds. */
class Outdated extends Error {}

/** Rolls back the transaction of a dry run. */
class RolledBack extends Error {
  constructor(readonly done: CarriedOut<unknown>) {
    super('A dry run is rolled back.');
  }
}

/**
 * Carries out writes, each on the same path: prepare, lock the host's head, load and decide, append, project, commit. A
 * dry run is the same, rolled back.
 */
export class CommandEngine implements BeforeApplicationShutdown {
  private readonly limiter: PerHostLimiter;
  private readonly sharedCommits: SharedCommits;

  constructor(
    private readonly database: Database,
    private readonly domain: Domain,
    private readonly listener: CommitListener,
    /** Most writes at once that may hold a connection. */
    writers = 12,
  ) {
    this.limiter = new PerHostLimiter(2, database.embedded ? 1 : writers);
    this.sharedCommits = new SharedCommits(database, this.limiter);
  }

  /** Resolves when the write is committed. Rejects with the kernel's errors, and then nothing has happened. */
  execute<Result, Prepared>(work: UnitOfWork<Result, Prepared>): Promise<Result> {
    const said = (): Said => ({
      name: 'catalog.write',
      attributes: { 'portal_catalog.host.hash': hostHash(work.context.hostId) },
    });
    return inSpan(said, (span) => this.attempt(work, span));
  }

  /**
   * Carries out several writes of one host as one: all of them or none, in one transaction. `write` is given the context to
   * carry out each with; each sees what those before it have written. Nothing that it awaits may ask the database by another
   * way: the embedded one has a single connection, which is taken.
   *
   * @param isDryRun whether to do everything but commit
   */
  async together<Result>(
    context: WriteContext,
    isDryRun: boolean,
    write: (context: WriteContext & { readonly within: OpenTransaction }) => Promise<Result>,
  ): Promise<Result> {
    const { hostId } = context;
    try {
      const done = await this.limiter.run(hostId, () =>
        this.inTransaction(hostId, isDryRun, async (tx): Promise<CarriedOut<Result>> => {
          if ((await lockHead(tx, hostId)) === undefined) await beginLog(tx, hostId);
          const at = performance.now();
          const appended: RecordedEvent[] = [];
          return { result: await write({ ...context, within: { tx, appended } }), appended, at };
        }),
      );
      this.announce(hostId, done);
      return done.result;
    } catch (error) {
      throw this.domain.asRefusal(error);
    }
  }

  /** Tries again where others have written meanwhile what was prepared on. */
  private async attempt<Result, Prepared>(
    work: UnitOfWork<Result, Prepared>,
    span: OpenSpan | undefined,
  ): Promise<Result> {
    const { hostId, within } = work.context;
    if (within !== undefined) return this.carryOutWithin(within, work);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const isEarly = work.prepare !== undefined && attempt < ATTEMPTS;
        const basis = isEarly ? await this.prepare(work) : undefined;
        const done = await this.carryOut(work, basis, attempt === 1);
        span?.set({ 'portal_catalog.events': done.appended.length, 'portal_catalog.attempts': attempt });
        this.announce(hostId, done);
        return done.result;
      } catch (error) {
        const isOutrun =
          error instanceof Outdated ||
          isStreamMoved(error) ||
          (work.prepare !== undefined && isUniqueViolation(error));
        if (!isOutrun || attempt === ATTEMPTS) throw this.domain.asRefusal(error);
      }
    }
  }

  private async carryOutWithin<Result, Prepared>(
    { tx, appended }: OpenTransaction,
    work: UnitOfWork<Result, Prepared>,
  ): Promise<Result> {
    if (work.isDryRun === true) throw new Error('A dry run is all of a transaction, not a part of it.');
    const done = await this.write(tx, work, await this.underLock(tx, work, undefined, false));
    appended.push(...done.appended);
    return done.result;
  }

  private announce(hostId: string, { appended, at }: CarriedOut<unknown>): void {
    const last = appended.at(-1);
    if (last === undefined) return;
    this.listener.committed({ hostId, position: last.position, events: appended }, at);
  }

  /** Waits for the writes under way. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.limiter.idle();
  }

  /** Resolves when writes pause, when the policy's longest wait is over, or when the signal aborts. */
  async whenIdle({ quietMs, maxDelayMs }: IdlePolicy, signal?: AbortSignal): Promise<void> {
    const deadline = performance.now() + maxDelayMs;
    while (signal?.aborted !== true) {
      const wait = Math.min(quietMs - this.limiter.quietFor, deadline - performance.now());
      if (wait <= 0) return;
      await delay(wait, undefined, { signal }).catch(() => undefined);
    }
  }

  private async prepare<Result, Prepared>(work: UnitOfWork<Result, Prepared>): Promise<Basis<Prepared>> {
    const { hostId } = work.context;
    const database = this.database.of(hostId);
    const { position } = await new EventStore(database, this.domain.types).head(hostId);
    return { position, prepared: (await work.prepare?.(prepared(database))) as Prepared };
  }

  private async carryOut<Result, Prepared>(
    work: UnitOfWork<Result, Prepared>,
    basis: Basis<Prepared> | undefined,
    assumesNewStreams: boolean,
  ): Promise<CarriedOut<Result>> {
    const { context, isDryRun } = work;
    const decide = (tx: Transaction): Promise<UnderLock> =>
      this.underLock(tx, work, basis, assumesNewStreams);
    const write = (tx: Transaction, decided: UnderLock): Promise<CarriedOut<Result>> =>
      this.write(tx, work, decided);
    // Small writes may share a commit; prepared writes are large, and dry runs never commit.
    if (isDryRun !== true && work.prepare === undefined)
      return this.sharedCommits.run(context.hostId, { decide, write });
    return this.limiter.run(context.hostId, () =>
      this.inTransaction(context.hostId, isDryRun === true, async (tx) => write(tx, await decide(tx))),
    );
  }

  private async inTransaction<Result>(
    hostId: string,
    isDryRun: boolean,
    write: (tx: Transaction) => Promise<CarriedOut<Result>>,
  ): Promise<CarriedOut<Result>> {
    try {
      return await this.database.of(hostId).transaction(async (tx) => {
        const done = await write(tx);
        if (isDryRun) throw new RolledBack(done);
        return done;
      });
    } catch (error) {
      if (error instanceof RolledBack) return { ...(error.done as CarriedOut<Result>), appended: [] };
      throw error;
    }
  }

  /** Locks the host's head, loads and decides. */
  private async underLock<Result, Prepared>(
    tx: Transaction,
    work: UnitOfWork<Result, Prepared>,
    basis: Basis<Prepared> | undefined,
    assumesNewStreams: boolean,
  ): Promise<UnderLock> {
    const { hostId } = work.context;
    const sql = prepared(tx);
    // Both are sent at once; the second is answered after the first, and so under the lock.
    const [head, commands] = await Promise.all([lockHead(tx, hostId), commandsOf(work, sql, basis)]);
    if (head === undefined) {
      await beginLog(tx, hostId);
      return this.underLock(tx, work, basis, assumesNewStreams);
    }
    const at = performance.now();
    if (commands === 'outdated') throw new Outdated();
    const store = new EventStore(tx, this.domain.types);
    const read = async (streams: Parameters<EventStore['readStates']>[0]) => {
      const events = await store.readStates(streams);
      if (events.some(({ position }) => position > (basis?.position ?? Infinity))) throw new Outdated();
      return events;
    };
    const decision = new Decision(this.domain, work.context, read, assumesNewStreams);
    return { head, at, decision, decided: await this.decide(decision, commands, sql) };
  }

  /** Appends and projects. */
  private async write<Result, Prepared>(
    tx: Transaction,
    work: UnitOfWork<Result, Prepared>,
    { head, at, decision, decided }: UnderLock,
  ): Promise<CarriedOut<Result>> {
    const appended = await append(tx, this.domain.types, head, decision.events);
    await this.domain.project(tx, appended);
    const outcomes = decision.outcomesOf(decided, appended);
    const position = positionOf(work, outcomes, appended, head.position);
    const result = await work.result(outcomes, position, { sql: tx, before: head.position });
    await work.beforeCommit?.(tx, result);
    return { result, appended, at };
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

async function commandsOf<Result, Prepared>(
  work: UnitOfWork<Result, Prepared>,
  sql: Sql,
  basis: Basis<Prepared> | undefined,
): Promise<readonly Command[] | 'outdated'> {
  // Without `prepare`, `Prepared` is undefined.
  return work.commands(sql, basis === undefined ? ((await work.prepare?.(sql)) as Prepared) : basis.prepared);
}

/** Position in the receipt: of the write's last event; without one, of the last event of what it is about, else the end of the log. */
function positionOf(
  { isDryRun }: { readonly isDryRun?: boolean },
  outcomes: readonly Outcome[],
  appended: readonly RecordedEvent[],
  end: number,
): number {
  const last = appended.at(-1);
  // The log ends before what a dry run would append.
  if (last !== undefined) return isDryRun === true ? end : last.position;
  return outcomes.length > 0 ? Math.max(...outcomes.map(({ position }) => position)) : end;
}
