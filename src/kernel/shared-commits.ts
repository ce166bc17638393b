import type { PerHostLimiter } from './per-host-limiter.js';
import { sqlState, type Database, type Transaction } from './sql.js';

/** A write in two parts: `decide` may refuse and changes no row, `write` sends all changes. */
export interface TwoPartWrite<Decided, Result> {
  readonly decide: (tx: Transaction) => Promise<Decided>;
  readonly write: (tx: Transaction, decided: Decided) => Promise<Result>;
}

interface Waiting {
  readonly parts: TwoPartWrite<unknown, unknown>;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Most writes that share a commit. */
const MAX_SHARED = 16;

/**
 * Runs waiting writes of one host one after the other in one transaction, since the commit is most of the time that a small
 * write holds the host's lock. Where that transaction fails, each write gets its own.
 */
export class SharedCommits {
  /** By host: those that wait together for the next turn. */
  private readonly groups = new Map<string, Waiting[]>();

  constructor(
    private readonly database: Database,
    private readonly limiter: PerHostLimiter,
  ) {}

  /** Resolves when the write is committed. */
  run<Decided, Result>(hostId: string, parts: TwoPartWrite<Decided, Result>): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      const waiting = { parts, resolve, reject } as Waiting;
      const group = this.groups.get(hostId);
      if (group !== undefined && group.length < MAX_SHARED) group.push(waiting);
      else void this.begin(hostId, [waiting]);
    });
  }

  private async begin(hostId: string, group: Waiting[]): Promise<void> {
    this.groups.set(hostId, group);
    await this.limiter.run(hostId, async () => {
      if (this.groups.get(hostId) === group) this.groups.delete(hostId);
      if (group.length > 1 && (await this.together(hostId, group))) return;
      for (const waiting of group) await this.alone(hostId, waiting);
    });
  }

  private async alone(hostId: string, { parts, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(
        await this.database.of(hostId).transaction(async (tx) => parts.write(tx, await parts.decide(tx))),
      );
    } catch (error) {
      reject(error);
    }
  }

  /** False where it was rolled back. */
  private async together(hostId: string, group: readonly Waiting[]): Promise<boolean> {
    try {
      const settle = await this.database.of(hostId).transaction(async (tx) => {
        const settled: (() => void)[] = [];
        for (const waiting of group) settled.push(await carriedOut(tx, waiting));
        return settled;
      });
      for (const each of settle) each();
      return true;
    } catch (error) {
      if (isRolledBack(error)) return false;
      for (const { reject } of group) reject(error);
      return true;
    }
  }
}

/** Ends a transaction before its commit. */
class Undone extends Error {}

/** Gives what settles the write after the commit; a refusal, too, counts only if what came before it was committed. */
async function carriedOut(tx: Transaction, { parts, resolve, reject }: Waiting): Promise<() => void> {
  let decided: unknown;
  try {
    decided = await parts.decide(tx);
  } catch (error) {
    if (sqlState(error) !== undefined) throw new Undone();
    return () => {
      reject(error);
    };
  }
  const result = await parts.write(tx, decided).catch(() => {
    throw new Undone();
  });
  return () => {
    resolve(result);
  };
}

/** False where the outcome is unknown: the connection was lost, or the database ended it (class 57). */
function isRolledBack(error: unknown): boolean {
  const state = sqlState(error);
  return error instanceof Undone || (state !== undefined && !state.startsWith('57'));
}
