import { modelAddresses } from '../endpoints/untrusted-text.js';
import { placesOf, type DocumentText, type DocumentTexts } from './document-texts.js';
import type { Json } from './imported.js';
import type { WarningSink } from './warning-log.js';

/**
 * Warns of texts that speak to the model instead of describing the tool. They are kept: whoever publishes the tool is to
 * see them as they are.
 */
export function warnOfModelAddresses(
  document: Json,
  { all, joined }: DocumentTexts,
  warnings: WarningSink,
): void {
  const found = new Set<DocumentText>();
  let next = 0;
  for (const offset of modelAddresses(joined)) {
    for (let after = all[next + 1]; after && after.start <= offset; after = all[next + 1]) next++;
    const text = all[next];
    if (text !== undefined) found.add(text);
  }
  for (const [, pointer] of placesOf(document, [...found])) {
    warnings.warn(
      'text_addresses_model',
      pointer,
      'The text speaks to the model that reads it, not of the tool. Look at it before you publish.',
    );
  }
}
