import { setImmediate as nextTurn } from 'node:timers/promises';

const MILLISECONDS = 10;

/** Lets long work in steps give way to others: the event loop turns at least every 10 ms or so. */
export class Pace {
  private started = performance.now();

  /** Between two steps. Costs nothing until the time is up. */
  async step(): Promise<void> {
    if (performance.now() - this.started < MILLISECONDS) return;
    await nextTurn();
    this.started = performance.now();
  }
}
