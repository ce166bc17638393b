import type { Caller } from '../auth/caller.js';

/** Milliseconds of work that a host has at once, beyond what it gets all the time. */
const BURST = 10_000;

/** Who wants a turn. Where all of a host count as one caller, the fingerprint is the host's id. */
export type Asker = Pick<Caller, 'hostId' | 'fingerprint'>;

export interface TurnLimits {
  /** How many have a turn at once: in all, of one host, of one caller. */
  readonly inAll: number;
  readonly ofHost: number;
  readonly ofCaller: number;
  /** How many of one caller may wait for a turn, and how many milliseconds. */
  readonly waiting: number;
  /** How many of all may wait, where that is bounded: beyond it, the last of the host that has the most is refused. */
  readonly waitingInAll?: number;
  readonly patience: number;
  /** What those are refused with who may not wait, or whose turn does not come. */
  readonly busy: () => Error;
}

interface Waiting {
  readonly asker: Asker;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/** What a host's work has taken of late, and as of when. */
interface Budget {
  readonly spent: number;
  readonly at: number;
}

/**
 * Lets few do at once what may take long: of one caller, of one host, and in all. Who comes too soon waits a while; the host
 * with the fewest under way comes first, and of those hosts the one whose last turn is the longest ago. A host has a budget of
 * time, of half of all turns: what is above it goes one after the other, after the work of all others.
 */
export class Turns {
  private readonly running: Asker[] = [];
  /** In the order of their turns, as far as there is room for them. */
  private waiting: readonly Waiting[] = [];
  private readonly budgets = new Map<string, Budget>();

  /** @param clock milliseconds */
  constructor(
    private readonly limits: TurnLimits,
    private readonly clock = () => performance.now(),
  ) {}

  /**
   * Runs the work when it is the caller's turn: at once where there is room. It must not ask for another turn meanwhile: all might wait for each other.
   * Throws what `busy` makes.
   */
  async run<T>(caller: Asker, work: () => Promise<T>): Promise<T> {
    const asker = { hostId: caller.hostId, fingerprint: caller.fingerprint };
    this.admit();
    if (this.hasRoom(asker)) this.running.push(asker);
    else await this.turn(asker);
    const began = this.clock();
    try {
      return await work();
    } finally {
      this.spend(asker, this.clock() - began);
      this.running.splice(this.running.indexOf(asker), 1);
      const isOfHost = ({ asker: { hostId } }: Waiting) => hostId === asker.hostId;
      const others = this.waiting.filter((waiting) => !isOfHost(waiting));
      this.waiting = [...others, ...this.waiting.filter(isOfHost)];
      this.admit();
    }
  }

  /** Whether work of the asker would begin at once. */
  hasRoom(asker: Asker): boolean {
    const { inAll, ofHost, ofCaller } = this.limits;
    const ofThis = this.running.filter(({ fingerprint }) => fingerprint === asker.fingerprint);
    const ofItsHost = this.isAbove(asker) ? 1 : ofHost;
    return this.running.length < inAll && this.ofHost(asker) < ofItsHost && ofThis.length < ofCaller;
  }

  /** Takes from the host's budget, and forgets those that are whole again. */
  private spend({ hostId }: Asker, time: number): void {
    this.budgets.set(hostId, { spent: this.spentBy(hostId) + time, at: this.clock() });
    for (const host of this.budgets.keys()) if (this.spentBy(host) === 0) this.budgets.delete(host);
  }

  private spentBy(hostId: string): number {
    const budget = this.budgets.get(hostId);
    if (budget === undefined) return 0;
    return Math.max(0, budget.spent - ((this.clock() - budget.at) * this.limits.inAll) / 2);
  }

  private isAbove({ hostId }: Asker): boolean {
    return this.spentBy(hostId) > BURST;
  }

  private turn(asker: Asker): Promise<void> {
    const { waiting: most, waitingInAll = Infinity, patience, busy } = this.limits;
    const own = this.waiting.filter((one) => one.asker.fingerprint === asker.fingerprint);
    if (own.length >= most) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const refuse = (): void => {
        clearTimeout(timer);
        this.leave(waiting);
        reject(busy());
      };
      const waiting = { asker, begin, refuse };
      const timer = setTimeout(refuse, patience);
      this.waiting = [...this.waiting, waiting];
      if (this.waiting.length > waitingInAll) this.lastOfMost()?.refuse();
    });
  }

  private lastOfMost(): Waiting | undefined {
    const counts = new Map<string, number>();
    for (const { asker } of this.waiting) counts.set(asker.hostId, (counts.get(asker.hostId) ?? 0) + 1);
    const most = Math.max(...counts.values());
    return this.waiting.findLast(({ asker }) => counts.get(asker.hostId) === most);
  }

  /** Lets all begin for whom there is room: where a budget is whole again, there are several at once. */
  private admit(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      this.leave(next);
      this.running.push(next.asker);
      next.begin();
    }
  }

  private next(): Waiting | undefined {
    const all = this.waiting.filter(({ asker }) => this.hasRoom(asker));
    const within = all.filter(({ asker }) => !this.isAbove(asker));
    const fit = within.length > 0 ? within : all;
    const least = Math.min(...fit.map(({ asker }) => this.ofHost(asker)));
    return fit.find(({ asker }) => this.ofHost(asker) === least);
  }

  private leave(waiting: Waiting): void {
    this.waiting = this.waiting.filter((one) => one !== waiting);
  }

  private ofHost({ hostId }: Asker): number {
    return this.running.filter((one) => one.hostId === hostId).length;
  }
}
