import { setTimeout as sleep } from 'node:timers/promises';
import { isUniqueViolation, type Domain } from './domain.js';
import { NewerEvent } from './envelope.js';
import { RuleBroken } from './errors.js';
import { Generation } from './generation.js';
import { readMigrations, type Migration } from './migrations.js';
import { asAllHosts, type Database, type Session } from './sql.js';

export interface RebuildProgress {
  readonly phase: 'replay' | 'switch' | 'cleanup';
  /** Events replayed so far, of `total` when it began. */
  readonly events: number;
  readonly total: number;
}

export interface RebuildReport {
  readonly events: number;
  /** Until the new tables were the live ones. */
  readonly seconds: number;
  /** For how long writes had to wait, in milliseconds. */
  readonly switchMilliseconds: number;
  /** Hosts with an event that only a newer program knows: they keep the rows that they had. */
  readonly kept: readonly KeptHost[];
}

export interface KeptHost {
  readonly hostId: string;
  /** Of the first such event. */
  readonly position: number;
  readonly type: string;
  readonly detail: string;
}

/** Number of the advisory lock of the one rebuild. */
const REBUILD_LOCK = 7_020_102;
/** Most events that the switch itself may replay, while writes wait. */
const LEFT_OVER = { embedded: 50, server: 200 } as const;
/** SQLSTATEs of a lock that was not granted in time. */
const BUSY = new Set(['55P03', '40P01']);
/** Milliseconds after which the switch gives up: writers outpace the replay, or somebody holds a head. */
const PATIENCE = 600_000;

/** Rebuilds every projection from the log while the service reads and writes (docs/contract.md, section 3). */
export class Rebuild {
  private running = false;

  constructor(
    private readonly database: Database,
    private readonly domain: Domain,
    /** What makes the tables of the projections. */
    private readonly tables: () => Promise<readonly Pick<Migration, 'text'>[]> = () =>
      readMigrations('catalog'),
  ) {}

  /** Throws RuleBroken `rebuild_in_progress` while one is under way, here or on another instance. */
  async run(onProgress: (progress: RebuildProgress) => void = () => undefined): Promise<RebuildReport> {
    if (this.running) throw inProgress();
    this.running = true;
    let session: Session | undefined;
    try {
      if (!this.database.embedded) session = await this.database.session();
      await claim(session);
      return await this.rebuild(onProgress).finally(() => release(session));
    } finally {
      session?.close();
      this.running = false;
    }
  }

  private async rebuild(onProgress: (progress: RebuildProgress) => void): Promise<RebuildReport> {
    const started = performance.now();
    const generation = new Generation(this.database, this.domain, this.tables);
    await generation.create();
    const total = await generation.lag(this.database.acrossHosts);
    const report = (phase: RebuildProgress['phase']): void => {
      onProgress({ phase, events: generation.events, total: Math.max(total, generation.events) });
    };
    await generation.catchUp(() => {
      report('replay');
    });
    await generation.analyze();
    report('switch');
    const switchMilliseconds = await this.switchTo(generation, started + PATIENCE);
    const finished = {
      events: generation.events,
      seconds: (performance.now() - started) / 1000,
      switchMilliseconds,
      kept: [...generation.kept.values()].map(({ hostId, position, type, message: detail }) => {
        return { hostId, position, type, detail };
      }),
    };
    report('cleanup');
    await this.removeReplaced(generation);
    return finished;
  }

  /** Tries until all heads are free at once, with a short timeout: waiting for them would block writers. */
  private async switchTo(generation: Generation, deadline: number): Promise<number> {
    for (;;) {
      await generation.catchUp(() => undefined);
      const asked = performance.now();
      try {
        if (await this.trySwitch(generation)) return performance.now() - asked;
        if (asked > deadline) throw outpaced();
        generation.hasten();
      } catch (error) {
        // The next round leaves out the host of an event that a newer program has just written.
        const passes = isBusy(error) || isUniqueViolation(error) || error instanceof NewerEvent;
        if (!passes) throw error;
        if (performance.now() > deadline) throw error;
      }
      await sleep(20 + Math.random() * 80);
    }
  }

  private trySwitch(generation: Generation): Promise<boolean> {
    return this.database.asOwner.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout TO '80ms'; LOCK TABLE host_head_t IN EXCLUSIVE MODE`);
      await tx.query(asAllHosts);
      const tooMuch = (await generation.lag(tx)) > LEFT_OVER[this.database.embedded ? 'embedded' : 'server'];
      if (!tooMuch) await generation.replaceLive(tx);
      return !tooMuch;
    });
  }

  /** Drops the old tables once the readers that began before the switch have finished. */
  private async removeReplaced(generation: Generation): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt += 1) {
      await sleep(this.database.embedded ? 0 : Math.min(1_000, 100 * 2 ** attempt));
      try {
        await generation.removeReplaced();
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
  }
}

async function claim(session: Session | undefined): Promise<void> {
  if (session === undefined) return;
  const [row] = await session.asOwner.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [
    REBUILD_LOCK,
  ]);
  if (row?.free !== true) throw inProgress();
}

/** At its end, since the server notices that a connection is gone in its own time, and refuses the next rebuild until then. */
async function release(session: Session | undefined): Promise<void> {
  await session?.asOwner.query('SELECT pg_advisory_unlock($1)', [REBUILD_LOCK]).catch(() => undefined);
}

function inProgress(): RuleBroken {
  return new RuleBroken('rebuild_in_progress', 'A rebuild is under way already. Wait for it to end.');
}

function outpaced(): RuleBroken {
  return new RuleBroken(
    'rebuild_outpaced',
    'Events are written faster than they are replayed. The tables are as they were. Rebuild when less is written.',
  );
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && BUSY.has(error.code);
}
