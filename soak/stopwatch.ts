import { setTimeout as sleep } from 'node:timers/promises';

/** The only clock of what is tested: for shares of a whole that was timed in the same run, which no slow machine changes. */
export class Stopwatch {
  private readonly began = performance.now();

  /** What share of the time since it began `milliseconds` are. */
  shareOf(milliseconds: number): number {
    return milliseconds / (performance.now() - this.began);
  }

  /** Asks again and again until it is over; gives the milliseconds in which each answer came, the shortest first. */
  static async waits(ask: () => Promise<unknown>, over: () => boolean): Promise<number[]> {
    const all: number[] = [];
    while (!over()) {
      const asked = performance.now();
      await ask();
      all.push(performance.now() - asked);
      // Who asks without a pause is all that is answered.
      await sleep(20);
    }
    return all.sort((a, b) => a - b);
  }
}
