import type { Domain } from './domain.js';
import type { HostLanes } from './host-lanes.js';
import type { LogEnds } from './log-ends.js';
import type { WritePlace } from './log-writing.js';
import type { Database } from './sql.js';
import { sqlState } from './sql-state.js';
import { finish, finishTogether, type DecidedWrite, type Written } from './write-ending.js';

/** Most writes, and most characters of events, that share a transaction. */
const MOST = { writes: 32, characters: 250_000 } as const;

interface Waiting {
  readonly work: DecidedWrite;
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: decided writes of one host that wait for their turn go to the database in one transaction, and pay for
 * its statements and its way to the disk once. Each keeps its own events, reply and refusal: where the transaction
 * fails, which nothing has come of, each is tried alone.
 */
export class SharedCommits {
  private readonly waiting = new Map<string, Waiting[]>();

  constructor(
    private readonly database: Database,
    private readonly domain: Domain,
    private readonly lanes: HostLanes,
    private readonly ends: LogEnds,
  ) {}

  /** For a write that has read no stream: nothing of what waits with it can have outrun it. */
  commit(work: DecidedWrite): Promise<Written> {
    const { hostId } = work.write.context;
    return new Promise((resolve, reject) => {
      const one = { work, resolve, reject };
      const waiting = this.waiting.get(hostId);
      if (waiting !== undefined) waiting.push(one);
      else this.askForTurn(hostId, [one]);
    });
  }

  private askForTurn(hostId: string, waiting: Waiting[]): void {
    this.waiting.set(hostId, waiting);
    void this.lanes.run(hostId, () => this.turn(hostId, waiting));
  }

  private async turn(hostId: string, waiting: Waiting[]): Promise<void> {
    const group = waiting.splice(0, fitting(waiting));
    if (waiting.length > 0) this.askForTurn(hostId, waiting);
    else this.waiting.delete(hostId);
    if (group.length > 1 && (await this.together(hostId, group))) return;
    for (const one of group) await this.alone(hostId, one);
  }

  /** False where nothing has come of it: whose fault that was shows when each is alone. */
  private async together(hostId: string, group: readonly Waiting[]): Promise<boolean> {
    const work = { isSent: false };
    try {
      const works = group.map(({ work }) => work);
      const written = await this.inTransaction(hostId, async (place) => {
        work.isSent = false;
        const all = await finishTogether(place, hostId, works);
        work.isSent = true;
        return all;
      });
      for (const [index, one] of written.entries()) group[index]?.resolve(one);
    } catch (error) {
      // A commit that nobody answered may have been made: none of it may be made again.
      if (!work.isSent || sqlState(error) !== undefined) return false;
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  private async alone(hostId: string, { work, resolve, reject }: Waiting): Promise<void> {
    await this.inTransaction(hostId, (place) => finish(place, work)).then(resolve, reject);
  }

  /** Where no other write of the host is under way, its log should end where the last one left it. */
  private async inTransaction<T>(hostId: string, work: (place: WritePlace) => Promise<T>): Promise<T> {
    const { domain } = this;
    const database = this.database.of(hostId);
    const foreseen = this.lanes.hasOne(hostId) ? this.ends.foreseen(hostId) : undefined;
    if (foreseen !== undefined) {
      try {
        return await database.transaction((tx) => work({ tx, domain, foreseen }));
      } catch (error) {
        if (sqlState(error) === undefined) throw error;
        // It may end elsewhere: nothing has come of the attempt.
        this.ends.forget(hostId);
      }
    }
    return database.transaction((tx) => work({ tx, domain }));
  }
}

/** How many of those that wait share the next transaction, at least one. */
function fitting(waiting: readonly Waiting[]): number {
  let characters = 0;
  const tooMany = waiting.findIndex(({ work }, index) => {
    for (const { text } of work.decision.events) characters += text.length;
    return index === MOST.writes || characters > MOST.characters;
  });
  return tooMany < 0 ? waiting.length : Math.max(tooMany, 1);
}
