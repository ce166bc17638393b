import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { isSoak } from './soak.js';

/** Less than a test has: it shall say what it waited for. */
const PATIENCE = isSoak ? 240_000 : 40_000;

/** Looks again and again until it is so, and gives what it saw; after so many milliseconds it says what it saw last. */
export async function until<T, Wanted extends T>(
  look: () => T | Promise<T>,
  isSo: (seen: T) => seen is Wanted,
  ms?: number,
): Promise<Wanted>;
export async function until<T>(
  look: () => T | Promise<T>,
  isSo: (seen: T) => boolean,
  ms?: number,
): Promise<T>;
export async function until<T>(
  look: () => T | Promise<T>,
  isSo: (seen: T) => boolean,
  ms = PATIENCE,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const seen = await look();
    if (isSo(seen)) return seen;
    if (Date.now() > end)
      throw new Error(`It was not so within ${String(ms)} ms; seen last: ${inspect(seen)}`);
    await sleep(20);
  }
}

/** Waits for the work; what has not ended after so many milliseconds hangs, and fails with what `end` makes. */
export async function unlessHung<T>(work: Promise<T>, ms: number, end: () => Error): Promise<T> {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal }).then(() => {
    throw end();
  });
  // Where the work ends first, nobody waits for it any more.
  late.catch(() => undefined);
  return Promise.race([work, late]).finally(() => {
    done.abort();
  });
}
