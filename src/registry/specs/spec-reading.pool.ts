import { ThreadPool } from '../../platform/validation/thread.pool.js';
import carriedOut, { type SpecTask, type SpecWork } from './spec-reading.js';

/** Characters that are read on the main thread, in some 10 ms; more of them in a thread of the pool. */
const MAX_HERE = 16 * 1024;

const newPool = () =>
  new ThreadPool<SpecTask, unknown>(new URL('./spec-reading.ts', import.meta.url), 'long specs');
const [poolForReads, poolForWrites] = [newPool(), newPool()];

/** Reads specs of a host beside all else: long ones in a thread. Throws Problem 429 `texts_busy` when too many of its long ones wait. */
export class SpecReading {
  constructor(
    private readonly pool: ThreadPool<SpecTask, unknown>,
    private readonly hostId: string,
  ) {}

  async do<Work extends keyof SpecWork>(
    work: Work,
    ...given: Parameters<SpecWork[Work]>
  ): Promise<ReturnType<SpecWork[Work]>> {
    const task = { work, given };
    const done =
      JSON.stringify(given).length <= MAX_HERE ? carriedOut(task) : this.pool.run(task, this.hostId);
    return (await done) as ReturnType<SpecWork[Work]>;
  }
}

/** For those who only read: however many ask, writes don't wait for them. */
export const readingForReads = (hostId: string) => new SpecReading(poolForReads, hostId);
/** For writes, which may hold the lock of their host meanwhile. */
export const readingForWrites = (hostId: string) => new SpecReading(poolForWrites, hostId);
