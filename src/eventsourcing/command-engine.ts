import type { Command, Outcome, Reply, Write } from './command.js';
import { changesOf, Decision, type Decided, type StreamReader } from './decision.js';
import { isUniqueViolation, type Domain } from './domain.js';
import { StreamMoved } from './event-store.js';
import { HostLanes } from './host-lanes.js';
import { keepReply } from './kept-replies.js';
import { LockingSql } from './locking-sql.js';
import { appendAndProject, lockUnlessMoved } from './log-writing.js';
import { PostgresEventStore } from './postgres-event-store.js';
import { prepared } from './prepared-sql.js';
import type { Caused } from './reaction.js';
import type { Database, Sql, Transaction } from './sql.js';

/** What an instance does when one of its own writes was committed. */
export interface CommitListener {
  /** `at`: a moment (`performance.now()`) at which `position` was surely the end of the host's log. */
  committed(hostId: string, position: number, at: number): void;
}

const MAX_DEPTH = 3;
/** Times that an optimistic plan is made: the first, and twice more when the world has changed under it. */
const ATTEMPTS = 3;

/** What one attempt has left behind. */
interface Written {
  readonly reply: Reply;
  /** Where the log ended with the events of the write, and when it did. */
  readonly end?: { readonly position: number; readonly at: number };
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

  constructor(
    private readonly database: Database,
    private readonly domain: Domain,
    private readonly listener: CommitListener,
    /** Most writes at once that may hold a connection. */
    writers = 12,
  ) {
    this.lanes = new HostLanes(2, database.embedded ? 1 : writers);
  }

  /** Resolves when the write is committed. Rejects with the kernel's errors, and then nothing has happened. */
  async execute(write: Write): Promise<Reply> {
    const { hostId } = write.context;
    for (let attempt = 1; ; attempt += 1) {
      const last = attempt === ATTEMPTS;
      try {
        const { reply, end } = await this.attempt(write, attempt);
        if (end !== undefined) this.listener.committed(hostId, end.position, end.at);
        return reply;
      } catch (error) {
        const raced =
          error instanceof StreamMoved || (write.mode === 'optimistic' && isUniqueViolation(error));
        if (last || !raced) throw this.domain.inItsWords(error);
      }
    }
  }

  /** Resolves when no write is under way. */
  async idle(): Promise<void> {
    await this.lanes.idle();
  }

  /** The last attempt is made under the lock, where no other write can outrun it. */
  private attempt(write: Write, attempt: number): Promise<Written> {
    const trustsBirths = attempt === 1;
    if (write.mode === 'optimistic' && attempt < ATTEMPTS) return this.optimistic(write, trustsBirths);
    return this.lanes.run(write.context.hostId, () =>
      write.dry === true
        ? this.dry(write)
        : this.database.of(write.context.hostId).transaction((tx) => this.locked(tx, write, trustsBirths)),
    );
  }

  private async dry(write: Write): Promise<Written> {
    try {
      return await this.database.of(write.context.hostId).transaction(async (tx) => {
        throw new RolledBack((await this.locked(tx, write, false)).reply);
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
    const decided = await this.decide(decision, await write.plan(sql), sql);
    return this.finish(tx, write, decision, decided);
  }

  private async optimistic(write: Write, trustsBirths: boolean): Promise<Written> {
    const { context } = write;
    const database = this.database.of(context.hostId);
    const store = new PostgresEventStore(database, this.domain.types);
    const decision = new Decision(
      this.domain,
      context,
      (streams) => store.readStreams(streams),
      trustsBirths,
    );
    const sql = prepared(database);
    const decided = await this.decide(decision, await write.plan(sql), sql);
    const { readVersions } = decision;
    return this.lanes.run(context.hostId, () =>
      database.transaction(async (tx) => {
        // What read nothing can't have been outrun: its append takes the lock.
        const trusting = readVersions.length === 0 && write.stillHolds === undefined;
        if (!trusting) await lockUnlessMoved(tx, context.hostId, readVersions);
        if ((await write.stillHolds?.(tx)) === false) throw new StreamMoved(context.hostId);
        return this.finish(tx, write, decision, decided);
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

  private async finish(
    tx: Transaction,
    write: Write,
    decision: Decision,
    decided: readonly Decided[],
  ): Promise<Written> {
    const { hostId, idempotency } = write.context;
    const at = performance.now();
    const appended = await appendAndProject(tx, this.domain, hostId, decision.events);
    const outcomes = decision.outcomesOf(decided, appended);
    const end = appended.at(-1)?.position;
    // What a dry write would append is nowhere: the log ends before it.
    const told = write.dry === true && appended[0] !== undefined ? appended[0].position - 1 : end;
    const reply = write.reply(outcomes, told ?? (await standOf(tx, hostId, outcomes)));
    if (idempotency !== undefined) await keepReply(tx, hostId, idempotency, reply);
    return end === undefined ? { reply } : { reply, end: { position: end, at } };
  }
}

/** Position that a write answers which changed nothing: of what it looked at, else the end of the log. */
async function standOf(tx: Sql, hostId: string, outcomes: readonly Outcome[]): Promise<number> {
  if (outcomes.length > 0) return Math.max(...outcomes.map(({ position }) => position));
  const [head] = await tx.query<{ position: number }>('SELECT position FROM host_head_t WHERE host_id = $1', [
    hostId,
  ]);
  return head?.position ?? 0;
}
