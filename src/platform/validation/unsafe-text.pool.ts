import { ThreadPool } from './thread.pool.js';
import unsafeIn, { type LookedText, type UnsafeText } from './unsafe-text.js';

/** Characters that are looked through on the main thread, in some 10 ms; more of them in a thread of the pool. */
const MAX_HERE = 16 * 1024;

const pool = new ThreadPool<readonly LookedText[], UnsafeText[][]>(
  new URL('./unsafe-text.ts', import.meta.url),
  'long texts',
);

/**
 * Finds what in each of the texts runs or hides.
 *
 * @throws Problem 429 `texts_busy` when too many of the host wait already
 */
export async function unsafeInTexts(texts: readonly LookedText[], hostId: string): Promise<UnsafeText[][]> {
  if (texts.reduce((sum, { text }) => sum + text.length, 0) <= MAX_HERE) return unsafeIn(texts);
  return pool.run(texts, hostId);
}
