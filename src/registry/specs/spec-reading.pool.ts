import { ThreadPool } from '../../platform/validation/thread.pool.js';
import carriedOut, { type SpecTask, type SpecWork } from './spec-reading.js';

/** Characters that are read on the main thread, in some 10 ms; more of them in a thread of the pool. */
const MAX_HERE = 16 * 1024;

/** Reads specs beside all else: long ones in a thread. Throws Problem 429 `texts_busy` when too many long ones wait. */
export class SpecReading {
  private readonly pool = new ThreadPool<SpecTask, unknown>(
    new URL('./spec-reading.ts', import.meta.url),
    'long specs',
  );

  async do<Work extends keyof SpecWork>(
    work: Work,
    ...given: Parameters<SpecWork[Work]>
  ): Promise<ReturnType<SpecWork[Work]>> {
    const task = { work, given };
    const done = JSON.stringify(given).length <= MAX_HERE ? carriedOut(task) : this.pool.run(task);
    return (await done) as ReturnType<SpecWork[Work]>;
  }
}

/** For those who only read: however many ask, writes don't wait for them. */
export const readingForReads = new SpecReading();
/** For writes, which may hold the lock of their host meanwhile. */
export const readingForWrites = new SpecReading();
