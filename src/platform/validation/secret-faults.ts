import type { Fault } from '../../eventsourcing/errors.js';
import { lineCounter } from './line-counter.js';
import { findNamedCredentials, findSecrets } from './secrets.js';

/** Faults that are told of one request: who holds more secrets than these looks again anyway. */
const MOST = 100;

/** Where texts hold secrets: pointer, line and kind of the first hundred, never the secrets themselves. */
export async function secretFaults(
  texts: Iterable<{ readonly pointer: string; readonly text: string }>,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  for (const { pointer, text } of texts) {
    const lineOf = lineCounter(text);
    const found = [...(await findSecrets(text, MOST)), ...findNamedCredentials(text, MOST)];
    for (const { start, kind } of found) {
      if (faults.length === MOST) return faults;
      const detail = `line ${String(lineOf(start))} holds what looks like a secret (${kind})`;
      faults.push({ pointer, detail });
    }
  }
  return faults;
}
