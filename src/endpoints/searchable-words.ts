/** Longest word that a column keeps to be searched by; what is longer stays in the metadata alone. */
const LONGEST = 256;

/** The word as its column holds it: an index takes no text of any length. */
export function searchableWord(word: string | undefined): string | null {
  return word === undefined || word.length > LONGEST ? null : word;
}

/** Each word once, in order of appearance. */
export function searchableWords(words: readonly string[] | undefined): readonly string[] {
  return [...new Set(words)].filter((word) => word.length <= LONGEST);
}

/** Words that are compared case aside. */
export function searchKeys(words: readonly string[] | undefined): readonly string[] {
  return searchableWords(words?.map((word) => word.toLowerCase()));
}
