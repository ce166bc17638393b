import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets long work in steps give way to others: the event loop turns at least every 10 ms or so. */
export class Pace {
  private started = performance.now();

  constructor(private readonly milliseconds = 10) {}

  /** Between two steps. Costs nothing until the time is up. */
  async step(): Promise<void> {
    if (performance.now() - this.started < this.milliseconds) return;
    await nextTurn();
    this.started = performance.now();
  }
}
