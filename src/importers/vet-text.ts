import { modelAddresses, vettedCharacters } from '../endpoints/untrusted-text.js';
import { lineCounter } from '../platform/validation/line-counter.js';
import { findSecrets, replacementOf, withoutSecrets } from '../platform/validation/secrets.js';
import type { WarningSink } from './warning-log.js';

/** Makes a text of a language of its own safe to keep, as parsed documents are made value by value. */
export async function vetText(given: string, warnings: WarningSink): Promise<string> {
  const { text: vetted, findings } = vettedCharacters(given);
  for (const { code, detail } of findings) warnings.warn(code, '', detail);
  const secrets = await findSecrets(vetted);
  const lineOf = lineCounter(vetted);
  for (const { start, kind } of secrets) {
    const detail = `A secret (${kind}) in line ${String(lineOf(start))} was replaced by ${replacementOf(kind)}.`;
    warnings.warn('secret_redacted', '', detail);
  }
  const text = withoutSecrets(vetted, secrets);
  const [address] = modelAddresses(text);
  if (address !== undefined) {
    const detail = `Line ${String(lineCounter(text)(address))} speaks to the model that reads it, not of the API. Look at it before you publish.`;
    warnings.warn('text_addresses_model', '', detail);
  }
  return text;
}
