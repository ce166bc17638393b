import { Invalid, type Fault } from '../../eventsourcing/errors.js';
import { Pace } from '../../eventsourcing/pace.js';
import { firstHundred, MOST_COUNTED, pointerStep } from './faults.js';
import { lineCounter } from './line-counter.js';
import { findNamedCredentials, findSecrets } from './secrets.js';

/** Where texts hold secrets: pointer, line and kind of the first hundred and how many there are, never the secrets themselves. */
export async function secretFaults(
  texts: Iterable<{ readonly pointer: string; readonly text: string }>,
): Promise<readonly Fault[]> {
  const faults: Fault[] = [];
  const pace = new Pace();
  for (const { pointer, text } of texts) {
    const lineOf = lineCounter(text);
    const found = [
      ...(await findSecrets(text, MOST_COUNTED, pace)),
      ...findNamedCredentials(text, MOST_COUNTED),
    ];
    for (const { start, kind } of found) {
      if (faults.length === MOST_COUNTED) return firstHundred(faults);
      const detail = `line ${String(lineOf(start))} holds what looks like a secret (${kind})`;
      faults.push({ pointer, detail });
    }
  }
  return firstHundred(faults);
}

/** Every text in a value, with its pointer. */
export function* textsIn(value: unknown, pointer = ''): Generator<{ pointer: string; text: string }> {
  if (typeof value === 'string' && value !== '') yield { pointer, text: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* textsIn(member, pointer + pointerStep(name));
}

/** Refuses a record that agents or readers are shown and that holds a secret: Invalid `secret_in_body`. */
export async function refuseSecretsIn(record: object): Promise<void> {
  const faults = await secretFaults(textsIn(record));
  if (faults.length === 0) return;
  const detail = 'The body holds what looks like a secret. Take it out, and change it if it is real.';
  throw new Invalid('secret_in_body', detail, faults);
}
