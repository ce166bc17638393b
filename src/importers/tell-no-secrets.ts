import { findSecrets, withoutSecrets } from '../platform/validation/secrets.js';
import { UnreadableDocument, type Fault } from './imported.js';
import { below, stepsOf } from './json-reading.js';

/**
 * What is said of a document (warnings, faults), with `[redacted:<kind>]` for each secret that it quotes: some of it is
 * said before the document's own secrets are replaced. Nearly always there is none, which one look at all tells.
 */
export async function toldWithoutSecrets<Told extends Fault>(all: readonly Told[]): Promise<readonly Told[]> {
  const words = all.flatMap(({ pointer, detail }) => [...stepsOf(pointer), detail]);
  if (words.length === 0 || (await findSecrets(words.join('\n'))).length === 0) return all;
  return Promise.all(
    all.map(async (told) => {
      const steps = await Promise.all(stepsOf(told.pointer).map(cleaned));
      return { ...told, pointer: below('', ...steps), detail: await cleaned(told.detail) };
    }),
  );
}

/** The same of a refusal. */
export async function refusedWithoutSecrets(fault: UnreadableDocument): Promise<UnreadableDocument> {
  const [own, ...faults] = await toldWithoutSecrets([fault as Fault, ...fault.faults]);
  return new UnreadableDocument(fault.code, own?.detail ?? '', own?.pointer, faults);
}

async function cleaned(text: string): Promise<string> {
  return withoutSecrets(text, await findSecrets(text));
}
