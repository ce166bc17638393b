import { Tinypool } from 'tinypool';
import { Problem } from '../http/problem.js';
import unsafeIn, { type LookedText, type UnsafeText } from './unsafe-text.js';

/** Characters that are looked through on the main thread, in some 10 ms; more of them in a thread of the pool. */
const MAX_HERE = 16 * 1024;
/** Texts of requests that may wait for the thread, and how long they may. */
const limits = { waiting: 32, timeMs: 30_000, idleMs: 60_000 };

let pool: Tinypool | undefined;

/**
 * Finds what in each of the texts runs or hides.
 *
 * @throws Problem 429 `texts_busy` when too many wait already
 */
export async function unsafeInTexts(texts: readonly LookedText[]): Promise<UnsafeText[][]> {
  if (texts.reduce((sum, { text }) => sum + text.length, 0) <= MAX_HERE) return unsafeIn(texts);
  pool ??= startPool();
  if (pool.queueSize >= limits.waiting) throw busy();
  const signal = AbortSignal.timeout(limits.timeMs);
  try {
    return (await pool.run(texts, { signal })) as UnsafeText[][];
  } catch (fault) {
    throw signal.aborted ? busy() : fault;
  }
}

function busy(): Problem {
  const detail = 'Too many long texts are waiting to be looked through. Try again in a minute.';
  return new Problem(429, 'texts_busy', detail, { headers: { 'retry-after': '60' } });
}

/** Built, the thread runs the file beside this one; from sources (tests) it is compiled as it is loaded. */
function startPool(): Tinypool {
  const fromSource = import.meta.url.endsWith('.ts');
  const file = fromSource ? './unsafe-text.ts' : './unsafe-text.js';
  const hooks = new URL('../from-source/register.mjs', import.meta.url).href;
  return new Tinypool({
    filename: new URL(file, import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: limits.idleMs,
    env: {},
    ...(fromSource && { execArgv: ['--import', hooks] }),
  });
}
