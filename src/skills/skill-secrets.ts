import { Invalid } from '../eventsourcing/errors.js';
import { secretFaults, textsIn } from '../platform/validation/secrets-in-texts.js';

/**
 * Refuses words that hold a secret: Invalid `skill_contains_secret`, each with pointer, line and kind, never with
 * the secret itself.
 */
export async function refuseSecrets(words: object): Promise<void> {
  const faults = await secretFaults(textsIn(words));
  if (faults.length === 0) return;
  const detail =
    'A skill must not hold secrets: all its agents read it. Take them out, and change them if they are real.';
  throw new Invalid('skill_contains_secret', detail, faults);
}
