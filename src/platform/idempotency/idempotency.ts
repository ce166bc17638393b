import { createHash } from 'node:crypto';
import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { WriteContext } from '../../kernel/command.js';
import type { Database, Session } from '../../kernel/sql.js';
import {
  findKeptReply,
  forgetOldReplies,
  requestInProgress,
  type IdempotencyKey,
  type KeptReply,
  type Reply,
} from './kept-replies.js';

/** The context of a write, with its idempotency key. */
export interface KeyedContext extends WriteContext {
  readonly idempotency?: IdempotencyKey;
}

/** The key was used before for another request: 422. */
export class IdempotencyKeyReused extends Error {
  readonly code = 'idempotency_key_reused';
  constructor() {
    super('This Idempotency-Key was used before for another request. Use a new key for a new request.');
  }
}

/** The reply was given to a caller who may do more than the one who asks for it again: 403. */
export class ReplyNotCovered extends Error {
  readonly code = 'reply_not_covered';
  constructor() {
    super(
      'The request under this Idempotency-Key was carried out for a token that may do more. Repeat it with such a token.',
    );
  }
}

/** Milliseconds after which a connection that does not answer is given up. */
const PATIENCE = 5_000;
const HOUR = 3_600_000;

/**
 * Lets one request at a time use a key, and finds the reply kept under it, which `keepReply` stores in the appending
 * transaction. Holds the keys of this instance in memory; those of other instances are session-level advisory locks, which end
 * with the process that holds them.
 */
export class Idempotency implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly running = new Set<string>();
  /** The running keys that the session holds a lock for, each taken once. */
  private readonly locked = new Set<string>();
  private session: Promise<Session> | undefined;

  private readonly log = new Logger('Idempotency');
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.forget(), HOUR).unref();
  }

  /** Carries out a request, or replays what was kept where one was carried out under the key before. */
  async once<Result>(
    { hostId, idempotency: key }: KeyedContext,
    carryOut: () => Promise<Result>,
    replay: (kept: Reply) => Result,
  ): Promise<Result> {
    if (key === undefined) return carryOut();
    const kept = await this.begin(hostId, key);
    try {
      return kept === undefined ? await carryOut() : replay(kept);
    } finally {
      this.end(hostId, key);
    }
  }

  /**
   * Takes the key for this request. Gives the reply kept under it, if any.
   * Throws RuleBroken `request_in_progress` while another request holds it, here or on another instance, and
   * {@link IdempotencyKeyReused} where the fingerprint differs, {@link ReplyNotCovered} where a grant is missing. Always
   * followed by {@link end} unless it throws.
   */
  async begin(hostId: string, key: IdempotencyKey): Promise<Reply | undefined> {
    const claim = `${hostId} ${key.key}`;
    if (this.running.has(claim)) throw requestInProgress();
    this.running.add(claim);
    try {
      const kept = this.database.embedded
        ? await findKeptReply(this.database.of(hostId), hostId, key.key)
        : await this.claim(claim, hostId, key.key);
      return replyOf(kept, key);
    } catch (error) {
      this.end(hostId, key);
      throw error;
    }
  }

  end(hostId: string, key: IdempotencyKey): void {
    const claim = `${hostId} ${key.key}`;
    this.running.delete(claim);
    if (!this.locked.delete(claim)) return;
    const unlocked = this.session?.then((session) =>
      session.asOwner.query('SELECT pg_advisory_unlock($1)', [lockNumber(claim)], 'release_key'),
    );
    // A connection that is gone has released its locks.
    unlocked?.catch(() => undefined);
  }

  /** The reply kept under the key, without taking it. */
  async findReply(hostId: string, key: IdempotencyKey): Promise<Reply | undefined> {
    return replyOf(await findKeptReply(this.database.of(hostId), hostId, key.key), key);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    const session = await this.session?.catch(() => undefined);
    session?.close();
  }

  private async forget(): Promise<void> {
    try {
      await forgetOldReplies(this.database);
    } catch (error) {
      this.log.error(`Old idempotency keys could not be removed: ${String(error)}`);
    }
  }

  /** Locks the key, then reads its reply, in one round trip. */
  private async claim(claim: string, hostId: string, key: string): Promise<KeptReply | undefined> {
    const session = await this.connection();
    const answers = Promise.all([tryLock(session, claim), findKeptReply(session.of(hostId), hostId, key)]);
    const [locked, kept] = await within(PATIENCE, answers, () => {
      session.close();
    });
    // A reply that is kept counts, also where its request has yet to release the lock.
    if (!locked && kept === undefined) throw requestInProgress();
    if (locked) this.locked.add(claim);
    return kept;
  }

  private connection(): Promise<Session> {
    return (this.session ??= this.connect().catch((error: unknown) => {
      this.session = undefined;
      throw error;
    }));
  }

  /** Opens the session, and takes the locks again that a lost one held. */
  private async connect(): Promise<Session> {
    const session = await this.database.session();
    session.onEnd(() => (this.session = undefined));
    await Promise.all([...this.locked].map((claim) => tryLock(session, claim)));
    return session;
  }
}

function replyOf(kept: KeptReply | undefined, key: IdempotencyKey): Reply | undefined {
  if (kept === undefined) return undefined;
  if (kept.fingerprint !== key.fingerprint) throw new IdempotencyKeyReused();
  if (!kept.grants.every((grant) => key.grants.includes(grant))) throw new ReplyNotCovered();
  return kept.reply;
}

async function tryLock(session: Session, claim: string): Promise<boolean> {
  const [row] = await session.asOwner.query<{ locked: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS locked',
    [lockNumber(claim)],
    'claim_key',
  );
  return row?.locked ?? false;
}

/** The number of an advisory lock: the first eight bytes of a hash. */
function lockNumber(claim: string): string {
  return createHash('sha256').update(claim).digest().readBigInt64BE(0).toString();
}

async function within<T>(milliseconds: number, work: Promise<T>, giveUp: () => void): Promise<T> {
  const timer = setTimeout(giveUp, milliseconds);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
