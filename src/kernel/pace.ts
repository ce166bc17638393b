import { setImmediate as nextTurn } from 'node:timers/promises';

const MILLISECONDS = 10;

/** Yields to the event loop about every 10 ms, for long work in steps. */
export class Pace {
  private started = performance.now();

  /** Called between two steps; free until the time is up. */
  async step(): Promise<void> {
    if (performance.now() - this.started < MILLISECONDS) return;
    await nextTurn();
    this.started = performance.now();
  }
}

/** Lets one begin in each turn of the event loop, so that however many wait, connections are accepted and others served in between. */
export class Turns {
  private last = Promise.resolve();

  next(): Promise<void> {
    this.last = this.last.then(() => nextTurn());
    return this.last;
  }
}
