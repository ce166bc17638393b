import { allWordsOf, type Document } from './document.js';

/** What the ranking must know of all documents together: never of more than the asker may see. */
export interface Statistics {
  readonly documents: number;
  /** In how many documents the word occurs, examples included. */
  readonly frequency: (word: string) => number;
  /** Words of the documents, for what a misspelt word may have meant. */
  readonly vocabulary: readonly string[];
}

export function statisticsOf(documents: readonly Document[]): Statistics {
  const frequencies = new Map<string, number>();
  for (const document of documents) {
    for (const word of allWordsOf(document)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  return {
    documents: documents.length,
    frequency: (word) => frequencies.get(word) ?? 0,
    vocabulary: [...frequencies.keys()],
  };
}

/** How much a word tells documents apart: 0 and up, the rarer the more. */
export function rarity(word: string, { documents, frequency }: Statistics): number {
  const among = frequency(word);
  return Math.log(1 + (documents - among + 0.5) / (among + 0.5));
}
