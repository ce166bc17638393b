import { ignorable } from '../platform/validation/unseen-characters.js';

const unseen = new RegExp(`[${ignorable}]`, 'gu');
/** The letter i without a dot is a letter of its own; in capitals it would be an I. */
const cased = /[^\u0131]+/gu;

/**
 * Folds a text so that two which people or file systems take for one are equal: NFKC, without characters that nobody sees,
 * and without case (`ſ` is an s, `ß` is ss, the Kelvin sign is a k).
 */
export function foldedText(text: string): string {
  const seen = text.normalize('NFKC').replace(unseen, '');
  // In small letters first: a capital ẞ is none of ß, which in capitals is SS.
  const folded = seen.replace(cased, (letters) => letters.toLowerCase().toUpperCase().toLowerCase());
  return folded.replaceAll('ς', 'σ').normalize('NFKC');
}
