/** What the examples of an index say to a prompt. */
import { rarity } from './document.js';
import { lengthOf, likenessOf, nearest, voted } from './keyword-score.js';
import { WordIndex } from './word-index.js';
import type { Sought } from './word-sums.js';

/** Of each document, by its place, whose examples share a word with the prompt: their votes. */
export type Votes = ReadonlyMap<number, number>;

export function votesOf(index: WordIndex, sought: Sought): Votes {
  const compared = new Map<number, { shared: number; held: number }>();
  for (const { word, weight } of sought.asked.prompt.terms) {
    const number = index.numberOf(word);
    if (number === undefined) continue;
    const worth = weight * rarity(word, sought.statistics);
    index.exampleLists.each(number, (example) => {
      if (sought.marked[index.exampleDocument.at(example)] !== 1) return;
      const known = compared.get(example);
      if (known === undefined) compared.set(example, { shared: worth, held: weight });
      else [known.shared, known.held] = [known.shared + worth, known.held + weight];
    });
  }
  const near = new Map<number, number[]>();
  for (const [example, likeness] of likenesses(index, sought, compared)) {
    const place = index.exampleDocument.at(example);
    const known = near.get(place);
    if (known === undefined) near.set(place, [likeness]);
    else known.push(likeness);
  }
  return new Map([...near].map(([place, all]) => [place, voted(nearest(all))]));
}

/** Of each example how like the prompt it is. */
function* likenesses(
  index: WordIndex,
  sought: Sought,
  compared: ReadonlyMap<number, { readonly shared: number; readonly held: number }>,
): Generator<[example: number, likeness: number]> {
  const rarities = new Map<number, number>();
  const rarityOf = (number: number): number => {
    const known = rarities.get(number) ?? rarity(index.wordAt(number), sought.statistics);
    rarities.set(number, known);
    return known;
  };
  for (const [example, sums] of compared) {
    const from = index.exampleWordsFrom.at(example);
    const to = WordIndex.endOf(index.exampleWordsFrom, example, index.exampleWords);
    const words = Array.from(index.exampleWords.values.subarray(from, to));
    const length = lengthOf(words.map(rarityOf));
    yield [example, likenessOf(sought.asked.prompt, { ...sums, length })];
  }
}
