/** Which words of a prompt the database is asked for, and together with which. Pure. */
import type { Term } from '../../packages/ranking/prompt.js';
import type { Statistics } from '../../packages/ranking/statistics.js';
import { inName, termOf } from './search-document.js';

/** Words that a document must hold all of, and what that is worth. */
export interface TermGroup {
  /** As they are kept, behind the host's mark. */
  readonly terms: readonly string[];
  readonly worth: number;
}

/** Rows that single words may lead to in all. */
const mostRows = 1_500;
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
  let rows = 0;
  const bearable = rarest.filter(({ word }) => (rows += frequency(word)) <= mostRows);
  const frequent = rarest.slice(bearable.length, bearable.length + mostFrequent);
  const pairs = frequent.flatMap((one, index) =>
    frequent.slice(index + 1).map((other) => ({
      terms: [kept(one.word), kept(other.word)],
      worth: anywhere * (one.weight + other.weight),
    })),
  );
  const alone = bearable.length > 0 ? bearable : frequent.slice(0, 1);
  return [
    ...alone.map(({ word, weight }) => ({ terms: [kept(word)], worth: anywhere * weight })),
    ...(bearable.length > 0 ? bearable : frequent).map(({ word, weight }) => ({
      terms: [kept(inName(word))],
      worth: named * weight,
    })),
    ...pairs,
  ];
}
