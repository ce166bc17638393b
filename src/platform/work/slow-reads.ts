import { sqlState, type Database, type Sql } from '../../kernel/sql.js';
import type { Caller } from '../auth/caller.js';
import { Problem } from '../http/problem.js';

/** How many of one caller may wait for each that may run. */
const waitingPerTurn = 16;

/** Milliseconds of reads that a host has at once, beyond what it gets all the time. */
const BURST = 10_000;

type Asker = Pick<Caller, 'hostId' | 'fingerprint'>;

interface Waiting {
  readonly asker: Asker;
  readonly begin: () => void;
}

/** What a host's reads have taken of late, and as of when. */
interface Budget {
  readonly spent: number;
  readonly at: number;
}

/**
 * Lets few reads that may take long go to the database at once: of one caller, of one host, and in all. The other
 * connections are left to catalogs, lists and writes. Who comes too soon waits a while; the host with the fewest under
 * way comes first. A host has a budget of time, of half of all turns: what is above it goes one after the other, after the
 * reads of all others.
 */
export class SlowReads {
  private readonly most: { readonly inAll: number; readonly ofHost: number; readonly ofCaller: number };
  private readonly running: Asker[] = [];
  private readonly waiting: Waiting[] = [];
  private readonly budgets = new Map<string, Budget>();
  /** Hosts that have long work under way. */
  private readonly long = new Set<string>();

  /**
   * @param inAll how many may run at once; one host gets three quarters of them, one caller half
   * @param patience milliseconds that one may wait for its turn
   * @param clock milliseconds
   */
  constructor(
    inAll: number,
    private readonly patience = 5_000,
    private readonly clock = () => performance.now(),
  ) {
    this.most = { inAll, ofHost: Math.ceil(inAll * 0.75), ofCaller: Math.ceil(inAll / 2) };
  }

  /**
   * Runs the work when it is the caller's turn. It must not ask for another turn meanwhile: all might wait for each other.
   *
   * @throws Problem 429 `reads_busy` where too many of the caller's wait, or the turn does not come in time
   */
  async run<T>(caller: Asker, work: () => Promise<T>): Promise<T> {
    const asker = { hostId: caller.hostId, fingerprint: caller.fingerprint };
    await this.turn(asker);
    const began = this.clock();
    try {
      return await work();
    } finally {
      this.spend(asker, this.clock() - began);
      this.running.splice(this.running.indexOf(asker), 1);
      this.admit();
    }
  }

  /**
   * Runs work that goes on for long between its reads, each of which asks for a turn by itself: one at a time of a host, and
   * of half as many hosts as may read.
   *
   * @throws Problem 429 `reads_busy` where there is one already
   */
  async runLong<T>({ hostId }: Asker, work: () => Promise<T>): Promise<T> {
    if (this.long.has(hostId) || this.long.size >= this.most.ofCaller) throw busy();
    this.long.add(hostId);
    try {
      return await work();
    } finally {
      this.long.delete(hostId);
    }
  }

  /** Takes from the host's budget, and forgets those that are whole again. */
  private spend({ hostId }: Asker, time: number): void {
    this.budgets.set(hostId, { spent: this.spentBy(hostId) + time, at: this.clock() });
    for (const host of this.budgets.keys()) if (this.spentBy(host) === 0) this.budgets.delete(host);
  }

  private spentBy(hostId: string): number {
    const budget = this.budgets.get(hostId);
    if (budget === undefined) return 0;
    return Math.max(0, budget.spent - ((this.clock() - budget.at) * this.most.inAll) / 2);
  }

  private isAbove({ hostId }: Asker): boolean {
    return this.spentBy(hostId) > BURST;
  }

  private turn(asker: Asker): Promise<void> {
    if (this.hasRoom(asker)) {
      this.running.push(asker);
      return Promise.resolve();
    }
    const own = this.waiting.filter((one) => one.asker.fingerprint === asker.fingerprint);
    if (own.length >= this.most.ofCaller * waitingPerTurn) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const waiting = {
        asker,
        begin: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(busy());
      }, this.patience);
      this.waiting.push(waiting);
    });
  }

  private admit(): void {
    const all = this.waiting.filter(({ asker }) => this.hasRoom(asker));
    const within = all.filter(({ asker }) => !this.isAbove(asker));
    const fit = within.length > 0 ? within : all;
    const least = Math.min(...fit.map(({ asker }) => this.ofHost(asker)));
    const next = fit.find(({ asker }) => this.ofHost(asker) === least);
    if (next === undefined) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    this.running.push(next.asker);
    next.begin();
  }

  private hasRoom(asker: Asker): boolean {
    const { inAll, ofHost, ofCaller } = this.most;
    const ofThis = this.running.filter(({ fingerprint }) => fingerprint === asker.fingerprint);
    const ofItsHost = this.isAbove(asker) ? 1 : ofHost;
    return this.running.length < inAll && this.ofHost(asker) < ofItsHost && ofThis.length < ofCaller;
  }

  private ofHost({ hostId }: Asker): number {
    return this.running.filter((one) => one.hostId === hostId).length;
  }
}

function busy(): Problem {
  return new Problem(
    429,
    'reads_busy',
    'Too many slow reads of this caller or host are under way. Send fewer at once, and try again.',
    { headers: { 'retry-after': '2' } },
  );
}

/** SQLSTATE of a statement that PostgreSQL ended when its time was over. */
const ENDED = '57014';

/**
 * Statements on a host's rows that have so many milliseconds together. The embedded database ends none: there the next
 * one is refused. Throws what `tooSlow` makes.
 */
export function timedSql(database: Database, hostId: string, most: number, tooSlow: () => Error): Sql {
  let left = most;
  return {
    query: async (...statement) => {
      if (left <= 0) throw tooSlow();
      const sent = performance.now();
      try {
        return await database.of(hostId, left).query(...statement);
      } catch (error) {
        throw sqlState(error) === ENDED ? tooSlow() : error;
      } finally {
        left -= performance.now() - sent;
      }
    },
  };
}
