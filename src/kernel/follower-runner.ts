import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Subscription } from 'rxjs';
import type { CommandEngine } from './command-engine.js';
import type { IdlePolicy } from './per-host-limiter.js';
import type { Domain } from './domain.js';
import { isErased } from './envelope.js';
import type { RecordedEvent } from './event.js';
import { EventStore } from './event-store.js';
import type { Heads } from './heads.js';
import { hostHash, inSpan } from './spans.js';
import type { Database, Sql } from './sql.js';
import { TableStatistics } from './table-statistics.js';

/**
 * Does what must not delay an append: follows each host's log from a checkpoint, which is moved in the same transaction as
 * the effect, so that every event takes effect on the database exactly once, also over a crash.
 */
export interface Follower {
  /** Stable: its checkpoints are kept under it. */
  readonly name: string;
  readonly handles: readonly string[];
  /**
   * Those of them whose data it reads; all where left out. Events of the other types come with empty data (`{}`), which
   * spares reading megabytes only to learn whose they are.
   */
  readonly reads?: readonly string[];
  /** How long it waits for writes to pause; then it handles what has come as one batch. See {@link FollowerRunner.reach}. */
  readonly idlePolicy?: IdlePolicy;
  /** Events of one host in order of position. All its SQL goes through `sql`; what it throws is tried again later. */
  handle(sql: Sql, events: readonly RecordedEvent[]): Promise<void>;
}

/** Milliseconds between two looks at what other instances may have written. */
const PERIOD = 1_000;
/** Events that one transaction takes in; fewer on the embedded database, where all others wait for it. */
const BATCH = { server: 200, embedded: 25 } as const;
/** Idle policy of a follower that names none. */
const IDLE_POLICY = { quietMs: 50, maxDelayMs: 1_000 } as const;
/** Milliseconds to wait where another instance works on the host. */
const HELD = 20;
/** Milliseconds after which is looked again whether a connection is free between two batches, and how often at most. */
const LOOK = 5;
const MAX_LOOKS = 10;
/** Most seconds before a failing host is tried again. */
const MAX_BACKOFF = 300;

/** How long somebody waits for a follower. */
export interface Patience {
  /** In milliseconds. */
  readonly patience: number;
  /** Events beyond which it is not waited for at all. */
  readonly most?: number;
}

/** The rounds of one follower, one at a time. */
interface Line {
  readonly follower: Follower;
  round?: Promise<void> | undefined;
  /** Whether events have come since the round began. */
  again: boolean;
}

/** Runs the followers independently of each other. Instances share the work: one at a time follows a host. */
export class FollowerRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('Followers');
  private timer: NodeJS.Timeout | undefined;
  private subscription: Subscription | undefined;
  private readonly lines: readonly Line[];
  private readonly stopping = new AbortController();
  /** Checkpoints as last seen, by follower and host; they only grow. */
  private readonly reached = new LRUCache<string, number>({ max: 10_000 });
  private readonly statistics: TableStatistics;
  private readonly batch: number;

  constructor(
    private readonly database: Database,
    private readonly domain: Domain,
    private readonly heads: Heads,
    private readonly writers: Pick<CommandEngine, 'whenIdle'>,
    private readonly followers: readonly Follower[],
  ) {
    this.lines = followers.map((follower) => ({ follower, again: false }));
    this.statistics = new TableStatistics(database);
    this.batch = BATCH[database.embedded ? 'embedded' : 'server'];
  }

  onApplicationBootstrap(): void {
    if (this.followers.length === 0) return;
    this.timer = setInterval(() => {
      this.wake();
    }, PERIOD).unref();
    this.subscription = this.heads.changes.subscribe(() => {
      this.wake();
    });
    this.wake();
  }

  /** Stops after the transactions under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.timer);
    this.subscription?.unsubscribe();
    await Promise.all(this.lines.map(({ round }) => round ?? Promise.resolve()));
  }

  /** Follows every log to its end, as far as it can now. */
  async catchUp(): Promise<void> {
    for (const follower of this.followers) await this.follows(follower);
  }

  /**
   * Waits until the follower has seen the host's log as far as it reaches now, and helps it along; false where that
   * takes longer than `patience` milliseconds, where it has more than `most` events to see, or where it fails on this host.
   */
  async reach(name: string, hostId: string, { patience, most = Infinity }: Patience): Promise<boolean> {
    const follower = this.named(name);
    const key = wayOf(name, hostId);
    const target = await this.heads.position(hostId);
    const deadline = performance.now() + patience;
    const look = async (): Promise<boolean> => {
      const at = await this.checkpoint(name, hostId);
      this.reached.set(key, at.position);
      return !at.failing;
    };
    const behind = () => target - (this.reached.get(key) ?? 0);
    // On the embedded database nobody else follows, and a question would wait for the round under way.
    const isKnown = this.database.embedded && this.reached.has(key);
    if (behind() > most && (isKnown || !(await look()) || behind() > most)) return false;
    while (behind() > 0) {
      if (performance.now() > deadline || this.stopping.signal.aborted) return false;
      if (await this.step(follower, hostId)) continue;
      if (!(await look())) return false;
      if (behind() > 0) await delay(HELD);
    }
    return true;
  }

  private async checkpoint(name: string, hostId: string): Promise<{ position: number; failing: boolean }> {
    const [at] = await this.database.of(hostId).query<{ position: number; failing: boolean }>(
      `SELECT position, coalesce(retry_after > now(), false) AS failing FROM checkpoint_t
       WHERE host_id = $1 AND follower = $2`,
      [hostId, name],
      'follower_checkpoint',
    );
    return at ?? { position: 0, failing: false };
  }

  /** Follows the log within this transaction, own events included: for a transaction that is rolled back. */
  async followWithin(tx: Sql, name: string, hostId: string): Promise<void> {
    const follower = this.named(name);
    while ((await this.follow(tx, follower, hostId, 'FOR UPDATE')).length === this.batch) continue;
  }

  private wake(): void {
    for (const line of this.lines) {
      line.again = true;
      line.round ??= this.rounds(line).finally(() => (line.round = undefined));
    }
  }

  private async rounds(line: Line): Promise<void> {
    const { follower } = line;
    while (line.again && !this.stopping.signal.aborted) {
      await this.writers.whenIdle(follower.idlePolicy ?? IDLE_POLICY, this.stopping.signal);
      line.again = false;
      await this.follows(follower).catch((error: unknown) => {
        this.log.error(`${follower.name} could not follow the logs: ${String(error)}`);
      });
    }
  }

  /** Follows every log to its end, as far as it can now. */
  private async follows(follower: Follower): Promise<void> {
    for (const hostId of await this.behind(follower)) {
      while (!this.stopping.signal.aborted && (await this.step(follower, hostId))) await this.giveWay();
    }
  }

  /**
   * Lets others have the connections between two batches, where none is free. Most requests ask several questions, one after another:
   * so each request waits for one batch, not for one at every question, and a follower that is far behind still gets on.
   */
  private async giveWay(): Promise<void> {
    for (let looks = 0; looks < MAX_LOOKS && this.database.isBusy(); looks += 1) await delay(LOOK);
  }

  /** Events that each follower has yet to take in, over all hosts. */
  async lags(): Promise<Readonly<Record<string, number>>> {
    const names = this.followers.map(({ name }) => name);
    const rows = await this.database.acrossHosts.query<{ follower: string; behind: number }>(
      `SELECT f.follower, coalesce(sum(greatest(h.position - coalesce(c.position, 0), 0)), 0)::bigint AS behind
       FROM unnest($1::text[]) AS f (follower)
       CROSS JOIN host_head_t h
       LEFT JOIN checkpoint_t c ON c.host_id = h.host_id AND c.follower = f.follower
       GROUP BY f.follower`,
      [names],
      'follower_lags',
    );
    const behind = new Map(rows.map((row) => [row.follower, row.behind]));
    return Object.fromEntries(names.map((name) => [name, behind.get(name) ?? 0]));
  }

  private named(name: string): Follower {
    const follower = this.followers.find((each) => each.name === name);
    if (follower === undefined) throw new Error(`There is no follower ${name}.`);
    return follower;
  }

  private async behind({ name }: Follower): Promise<readonly string[]> {
    const rows = await this.database.acrossHosts.query<{ host_id: string }>(
      `SELECT h.host_id FROM host_head_t h
       LEFT JOIN checkpoint_t c ON c.host_id = h.host_id AND c.follower = $1
       WHERE h.position > coalesce(c.position, 0) AND coalesce(c.retry_after, '-infinity') < now()`,
      [name],
      'hosts_behind',
    );
    return rows.map(({ host_id: hostId }) => hostId);
  }

  /** Follows one batch; true where there may be more. A failure is tried again later, and delays no other host. */
  private async step(follower: Follower, hostId: string): Promise<boolean> {
    try {
      const events = await inSpan(
        () => ({
          name: `follow ${follower.name}`,
          attributes: { 'portal_catalog.host.hash': hostHash(hostId) },
        }),
        () => this.database.of(hostId).transaction((tx) => this.follow(tx, follower, hostId)),
      );
      const last = events.at(-1);
      if (last !== undefined) this.reached.set(wayOf(follower.name, hostId), last.position);
      await this.statistics.counted(events.length);
      return events.length === this.batch;
    } catch (error) {
      this.log.error(`${follower.name} failed on host ${hostId}: ${String(error)}`);
      await this.database.of(hostId).query(
        `INSERT INTO checkpoint_t AS c (host_id, follower, failures, retry_after)
         VALUES ($1, $2, 1, now() + interval '1 second')
         ON CONFLICT (host_id, follower) DO UPDATE SET failures = c.failures + 1,
           retry_after = now() + make_interval(secs => least($3, power(2, least(c.failures, 20))))`,
        [hostId, follower.name, MAX_BACKOFF],
      );
      return false;
    }
  }

  /**
   * Gives the events that it read.
   *
   * @param lock whether it waits for another instance that follows the host, or leaves the host to it
   */
  private async follow(
    tx: Sql,
    follower: Follower,
    hostId: string,
    lock: 'FOR UPDATE' | 'FOR UPDATE SKIP LOCKED' = 'FOR UPDATE SKIP LOCKED',
  ): Promise<readonly RecordedEvent[]> {
    const own = [hostId, follower.name];
    await tx.query(
      'INSERT INTO checkpoint_t (host_id, follower) VALUES ($1, $2) ON CONFLICT DO NOTHING',
      own,
    );
    const [checkpoint] = await tx.query<{ position: number }>(
      `SELECT position FROM checkpoint_t WHERE host_id = $1 AND follower = $2 ${lock}`,
      own,
    );
    if (checkpoint === undefined) return [];
    const store = new EventStore(tx, this.domain.types);
    const { reads = follower.handles } = follower;
    const events = await store.readLogSparingly(hostId, checkpoint.position, this.batch, reads);
    const last = events.at(-1);
    if (last === undefined) return [];
    const handled = events.filter((event) => follower.handles.includes(event.type) && !isErased(event));
    if (handled.length > 0) await follower.handle(tx, handled);
    await tx.query(
      'UPDATE checkpoint_t SET position = $3, failures = 0, retry_after = NULL WHERE host_id = $1 AND follower = $2',
      [...own, last.position],
    );
    return events;
  }
}

/** Key of a follower's way along a host's log. */
const wayOf = (name: string, hostId: string): string => `${name} ${hostId}`;
