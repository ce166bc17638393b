/** How long work that can wait lets writes go first. */
export interface IdlePolicy {
  /** Milliseconds without a write that count as a pause. */
  readonly quietMs: number;
  /** Most milliseconds to wait for a pause. */
  readonly maxDelayMs: number;
}

/**
 * Limits the writes that go to the database at once, by host and in all: they would only wait there for the host's lock, each
 * holding a connection that readers need. First come, first served within a host.
 */
export class PerHostLimiter {
  private readonly waiting = new Map<string, (() => void)[]>();
  private readonly running = new Map<string, number>();
  private total = 0;
  private readonly idlers: (() => void)[] = [];
  private lastLeft = -Infinity;

  constructor(
    private readonly perHost: number,
    private readonly inAll: number,
  ) {}

  async run<T>(hostId: string, work: () => Promise<T>): Promise<T> {
    await this.enter(hostId);
    try {
      return await work();
    } finally {
      this.leave(hostId);
    }
  }

  /** Resolves when nothing runs or waits. */
  idle(): Promise<void> {
    if (this.total === 0) return Promise.resolve();
    return new Promise((resolve) => this.idlers.push(resolve));
  }

  /** Milliseconds since the last work ended; 0 while some runs. */
  get quietFor(): number {
    return this.total === 0 ? performance.now() - this.lastLeft : 0;
  }

  private enter(hostId: string): Promise<void> {
    if (this.hasRoom(hostId)) {
      this.take(hostId);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const queue = this.waiting.get(hostId);
      // A host goes to the end of the line of hosts, too: a busy one does not block the others.
      if (queue === undefined) this.waiting.set(hostId, [resolve]);
      else queue.push(resolve);
    });
  }

  private leave(hostId: string): void {
    this.total -= 1;
    this.lastLeft = performance.now();
    const left = (this.running.get(hostId) ?? 1) - 1;
    if (left === 0) this.running.delete(hostId);
    else this.running.set(hostId, left);
    this.admit();
    if (this.total === 0) for (const resolve of this.idlers.splice(0)) resolve();
  }

  private admit(): void {
    for (const [hostId, queue] of this.waiting) {
      if (this.total === this.inAll) return;
      if (!this.hasRoom(hostId)) continue;
      const next = queue.shift();
      this.waiting.delete(hostId);
      if (queue.length > 0) this.waiting.set(hostId, queue);
      this.take(hostId);
      next?.();
      return;
    }
  }

  private hasRoom(hostId: string): boolean {
    return this.total < this.inAll && (this.running.get(hostId) ?? 0) < this.perHost;
  }

  private take(hostId: string): void {
    this.total += 1;
    this.running.set(hostId, (this.running.get(hostId) ?? 0) + 1);
  }
}
