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
  /** Frequent words by themselves, or the most frequent beside others: asked for where all else leads to few. */
  readonly last: boolean;
}

/** Documents that one word leads to, and rare ones in all. */
const mostOfWord = 1_500;
/** Two frequent words together. */
const mostOfPair = 1_000;
/** Frequent words of which each is looked for beside each other. */
const mostFrequent = 5;
/** … and the rarest of them, whose pairs are enough where they lead to many. */
const mostTogether = 3;
/** Worth of a word anywhere, and what it adds to stand in the name. */
const [anywhere, named] = [1.5, 2.5];

/**
 * The rarest words alone, wherever they stand, as long as they lead to a bearable number of rows, and more frequent
 * ones two at a time: a document that holds but one of those is not among the best where many others hold more. Only
 * where that leads to few, the rarest of the frequent ones is looked for alone, and those that have one in their name.
 */
export function termGroups(
  hostId: string,
  terms: readonly Term[],
  { frequency }: Pick<Statistics, 'frequency'>,
): readonly TermGroup[] {
  const kept = (word: string) => termOf(hostId, word);
  const rarest = [...terms].sort((a, b) => frequency(a.word) - frequency(b.word));
  let documents = 0;
  const rare = rarest.filter(({ word }) => (documents += frequency(word)) <= mostOfWord);
  const frequent = rarest.slice(rare.length, rare.length + mostFrequent);
  const pairs = frequent.flatMap((one, index) =>
    frequent.slice(index + 1).map((other, further) => ({
      terms: [kept(one.word), kept(other.word)],
      worth: anywhere * (one.weight + other.weight),
      ...{ most: mostOfPair, last: index + 1 + further >= mostTogether },
    })),
  );
  const single = (term: string, worth: number, last: boolean): TermGroup => ({
    terms: [term],
    ...{ worth, last, most: mostOfWord },
  });
  const alone = (last: boolean) => (term: Term) => single(kept(term.word), anywhere * term.weight, last);
  const inNames = (last: boolean) => (term: Term) =>
    single(kept(inName(term.word)), named * term.weight, last);
  return [
    ...[...rare.map(alone(false)), ...rare.map(inNames(false)), ...pairs],
    ...[...frequent.slice(0, 1).map(alone(true)), ...frequent.map(inNames(true))],
  ];
}
