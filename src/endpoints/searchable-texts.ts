/** Longest text that an indexed column keeps; longer ones stay in the metadata alone. */
const MAX_LENGTH = 256;

/** Returns the text for an indexed column, or null where it is too long. */
export function searchableText(word: string | undefined): string | null {
  return word === undefined || word.length > MAX_LENGTH ? null : word;
}

/** Returns the texts for an indexed column, each once, in order. */
export function searchableTexts(words: readonly string[] | undefined): readonly string[] {
  return [...new Set(words)].filter((word) => word.length <= MAX_LENGTH);
}

/** Returns texts in lower case, to be compared case aside. */
export function searchKeys(words: readonly string[] | undefined): readonly string[] {
  return searchableTexts(words?.map((word) => word.toLowerCase()));
}
