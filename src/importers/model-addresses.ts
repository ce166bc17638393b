import { textsAddressingModel } from '../endpoints/untrusted-text.js';
import { placesOf, type DocumentTexts } from './document-texts.js';
import type { Json } from './imported.js';
import type { WarningSink } from './warning-log.js';

/**
 * Warns of texts that speak to the model instead of describing the tool. They are kept: whoever publishes the tool is to
 * see them as they are.
 */
export function warnOfModelAddresses(document: Json, { all }: DocumentTexts, warnings: WarningSink): void {
  const addressing = textsAddressingModel(all.map(({ text }) => text));
  const found = addressing.map((index) => all[index]).filter((text) => text !== undefined);
  for (const [, pointer] of placesOf(document, found)) {
    warnings.warn(
      'text_addresses_model',
      pointer,
      'The text speaks to the model that reads it, not of the tool. Look at it before you publish.',
    );
  }
}
