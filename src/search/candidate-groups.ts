/** Which words of a prompt the database is asked for, and together with which. Pure. */
import type { Term } from '../../packages/ranking/prompt.js';
import type { Statistics } from '../../packages/ranking/statistics.js';
import { inName, termOf } from './search-document.js';

/** Words that a document must hold all of, and what that is worth. */
export interface TermGroup {
  /** As they are kept, behind the host's mark. */
  readonly terms: readonly string[];
  readonly worth: number;
  /** Most documents that it may lead to: which ones, where there are more, is left to chance. */
  readonly most: number;
}

/** Documents that rare words may lead to in all. */
const mostOfRare = 1_500;
/** Two frequent words together. */
const mostOfPair = 1_000;
/** A frequent word by itself: it fills up what is found. With more of them, chance would favour who is among these. */
const mostOfFrequent = 150;
/** Frequent words of which each is looked for beside each other. */
const mostFrequent = 5;
/** Worth of a word anywhere, and what it adds to stand in the name. */
const [anywhere, named] = [1.5, 2.5];

/**
 * The rarest words alone, wherever they stand, as long as they lead to a bearable number of rows, and more frequent
 * ones two at a time: a document that holds but one of those is not among the best where any other holds more. Where
 * all are frequent, the database gives the rarest as far as it bears, and those that have one in their name.
 */
export function termGroups(
  hostId: string,
  terms: readonly Term[],
  { frequency }: Pick<Statistics, 'frequency'>,
): readonly TermGroup[] {
  const kept = (word: string) => termOf(hostId, word);
  const rarest = [...terms].sort((a, b) => frequency(a.word) - frequency(b.word));
  let documents = 0;
  const rare = rarest.filter(({ word }) => (documents += frequency(word)) <= mostOfRare);
  const frequent = rarest.slice(rare.length, rare.length + mostFrequent);
  const pairs = frequent.flatMap((one, index) =>
    frequent.slice(index + 1).map((other) => ({
      terms: [kept(one.word), kept(other.word)],
      worth: anywhere * (one.weight + other.weight),
      most: mostOfPair,
    })),
  );
  const most = rare.length === 0 && pairs.length > 0 ? mostOfFrequent : mostOfRare;
  const single = (term: string, worth: number): TermGroup => ({ terms: [term], worth, most });
  return [
    ...(rare.length > 0 ? rare : frequent.slice(0, 1)).map(({ word, weight }) =>
      single(kept(word), anywhere * weight),
    ),
    ...(rare.length > 0 ? rare : frequent).map(({ word, weight }) =>
      single(kept(inName(word)), named * weight),
    ),
    ...pairs,
  ];
}
