import { setTimeout as sleep } from 'node:timers/promises';

interface WorkSource<Work> {
  /** Milliseconds between two looks at what is due; none where a place has become free. */
  readonly period: number;
  /** Most pieces of work under way. */
  readonly atOnce: number;
  /** What is due, as many as there are places; `busy` is under way. */
  take(places: number, busy: readonly Work[]): Promise<readonly Work[]>;
  carryOut(work: Work): Promise<unknown>;
  failed(error: unknown): void;
}

/** Work that comes to be due, carried out behind everybody: a slow piece of it holds up none but itself. */
export class WorkRounds<Work> {
  private readonly stopping = new AbortController();
  private readonly underWay = new Map<Work, Promise<unknown>>();
  /** Aborted where a piece of work has ended: there is a place for the next. */
  private place = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly source: WorkSource<Work>) {}

  start(): void {
    this.running ??= this.run();
  }

  /** Takes nothing more, and waits for what is under way. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    await Promise.all(this.underWay.values());
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      this.place = new AbortController();
      await this.begin().catch((error: unknown) => {
        this.source.failed(error);
      });
      const woken = AbortSignal.any([signal, this.place.signal]);
      await sleep(this.source.period, undefined, { signal: woken, ref: false }).catch(() => undefined);
    }
  }

  private async begin(): Promise<void> {
    const busy = [...this.underWay.keys()];
    const places = this.source.atOnce - busy.length;
    if (places === 0) return;
    for (const work of await this.source.take(places, busy)) {
      const ended = this.source
        .carryOut(work)
        .catch((error: unknown) => {
          this.source.failed(error);
        })
        .finally(() => {
          this.underWay.delete(work);
          this.place.abort();
        });
      this.underWay.set(work, ended);
    }
  }
}
