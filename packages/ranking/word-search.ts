import { rarity, type Statistics } from './document.js';
import {
  type Counted,
  lengthOf,
  likenessOf,
  nearest,
  neighbourhood,
  shareOfName,
  step,
  STEPS,
  voted,
  withExample,
  wordsScore,
} from './keyword-score.js';
import type { Prompt } from './prompt.js';
import type { Asked } from './rank.js';
import { IN_NAME, WordIndex } from './word-index.js';

/** What is looked for in an index. */
export interface Sought {
  readonly asked: Asked;
  /** Of the documents marked. */
  readonly statistics: Statistics;
  /** 1 for each document that may be found. */
  readonly marked: Uint8Array;
  readonly limit: number;
}

/** A document with what its words are worth. */
export interface Found {
  readonly id: string;
  readonly counted: Counted;
}

/**
 * The best documents, best first: those, in that order and with those scores, that `rank` gives of all that are marked, without vectors.
 * What terms and examples are worth is added up term by term; only of documents that could still be among the best it is looked whether
 * words of the prompt are neighbours there, which only those can be that both stand in it.
 */
export function searchWords(index: WordIndex, sought: Sought): Found[] {
  const sums = new Sums(index, sought);
  try {
    sums.add();
    return bestOf(index, sought, sums);
  } finally {
    // The next search takes the same arrays, empty.
    sums.clear();
  }
}

function bestOf(index: WordIndex, { asked, limit }: Sought, sums: Sums): Found[] {
  const { prompt } = asked;
  const weights = index.weights[asked.informational ? 'informational' : 'other'];
  const wordsOf = (place: number, weighed: number): number =>
    wordsScore(prompt, weighed, sums.complete(place), sums.nameOf(place));
  const scoreOf = (place: number, weighed: number): number =>
    withExample(prompt, wordsOf(place, weighed), sums.example(place)) * weights.at(place);
  const largest = new Largest(limit);
  for (const place of sums.touched) largest.add(scoreOf(place, sums.weighed(place)));
  // Of so many only those whose neighbours could lift them above the least; the likeliest first, since that raises the least.
  const likely: { place: number; most: number }[] = [];
  for (const place of sums.touched) {
    const most = scoreOf(place, sums.weighed(place) + sums.lift(place));
    if (most >= largest.least) likely.push({ place, most });
  }
  likely.sort((a, b) => b.most - a.most);
  const pairs = new Pairs(index, prompt);
  const lifted = new Largest(limit);
  const best: { found: Found; score: number }[] = [];
  for (const { place, most } of likely) {
    if (most < lifted.least) break;
    const alone = sums.weighed(place);
    const weighed = sums.lift(place) === 0 ? alone : pairs.addTo(alone, place);
    const [words, name, example] = [wordsOf(place, weighed), sums.nameOf(place), sums.example(place)];
    const counted = { score: withExample(prompt, words, example), words, name, example };
    const score = counted.score * weights.at(place);
    lifted.add(score);
    if (score > 0) best.push({ found: { id: index.ids[place] ?? '', counted }, score });
  }
  best.sort((a, b) => b.score - a.score || (a.found.id < b.found.id ? -1 : 1));
  return best.slice(0, limit).map(({ found }) => found);
}

/** The largest of some numbers, so many. */
class Largest {
  private readonly values: number[] = [];

  constructor(private readonly most: number) {}

  /** The least of them; nothing is below it while there are fewer. */
  get least(): number {
    return this.values.length < this.most ? -Infinity : (this.values[0] ?? Infinity);
  }

  add(value: number): void {
    if (value <= this.least) return;
    const { values } = this;
    if (values.length === this.most) values.shift();
    let at = values.length;
    while (at > 0 && (values[at - 1] ?? 0) > value) at -= 1;
    values.splice(at, 0, value);
  }
}

/** What terms and examples are worth in each document that has any of them; to be cleared for the next search. */
class Sums {
  readonly touched: number[] = [];
  private readonly worth: Float64Array;
  private readonly share: Float64Array;
  private readonly inName: Float64Array;
  /** At most what neighbours add. */
  private readonly lifts: Float64Array;
  /** Of each document the votes of its examples. */
  private readonly votes = new Map<number, number>();

  constructor(
    private readonly index: WordIndex,
    private readonly sought: Sought,
  ) {
    [this.worth, this.share, this.inName, this.lifts] = index.sums();
  }

  add(): void {
    const { sought } = this;
    for (const term of sought.asked.prompt.terms) this.addTerm(term);
    this.addExamples();
    for (const [pair, weight] of sought.asked.prompt.pairs) this.addLift(pair, weight);
    for (const place of this.votes.keys()) if (this.share[place] === 0) this.touched.push(place);
  }

  clear(): void {
    for (const place of this.touched) {
      this.worth[place] = this.share[place] = this.inName[place] = this.lifts[place] = 0;
    }
  }

  weighed(place: number): number {
    return this.worth[place] ?? 0;
  }

  complete(place: number): number {
    return this.share[place] ?? 0;
  }

  /** Share of the name that the prompt holds. */
  nameOf(place: number): number {
    return shareOfName(this.inName[place] ?? 0, this.index.nameWords.at(place));
  }

  /** At most what neighbours add; a little more, since they are added up in another order. */
  lift(place: number): number {
    return (this.lifts[place] ?? 0) * 1.000_001;
  }

  example(place: number): number {
    return this.votes.get(place) ?? 0;
  }

  private addTerm({ word, weight }: Prompt['terms'][number]): void {
    const number = this.index.numberOf(word);
    if (number === undefined) return;
    const { marked, asked } = this.sought;
    const { worth, share, inName, touched } = this;
    const part = weight / asked.prompt.total;
    this.index.postings.each(number, (place, posting) => {
      if (marked[place] !== 1 || posting === 0) return;
      if (share[place] === 0) touched.push(place);
      worth[place] = (worth[place] ?? 0) + weight * ((posting & STEPS) * step);
      share[place] = (share[place] ?? 0) + part;
      if ((posting & IN_NAME) !== 0) inName[place] = (inName[place] ?? 0) + 1;
    });
  }

  /** Of the documents in which both words of a pair stand. */
  private addLift(pair: string, weight: number): void {
    const { index, lifts, sought } = this;
    const [first, second] = pair.split(' ').map((word) => index.numberOf(word));
    if (first === undefined || second === undefined) return;
    for (const place of index.postings.inBoth(first, second)) {
      if (sought.marked[place] === 1) lifts[place] = (lifts[place] ?? 0) + neighbourhood * weight;
    }
  }

  private addExamples(): void {
    const { index, sought } = this;
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
    for (const [example, likeness] of this.likenesses(compared)) {
      const place = index.exampleDocument.at(example);
      const known = near.get(place);
      if (known === undefined) near.set(place, [likeness]);
      else known.push(likeness);
    }
    for (const [place, all] of near) this.votes.set(place, voted(nearest(all)));
  }

  /** Of each example how like the prompt it is. */
  private *likenesses(
    compared: ReadonlyMap<number, { readonly shared: number; readonly held: number }>,
  ): Generator<[example: number, likeness: number]> {
    const { index, sought } = this;
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
}

/** Which neighbours of the prompt are neighbours in a document, too. */
class Pairs {
  private readonly worth: readonly number[];
  /** Of the number of a word: the pairs that it begins, by the number of the word that follows. */
  private readonly beginning = new Map<number, Map<number, number>>();

  constructor(
    private readonly index: WordIndex,
    { pairs }: Prompt,
  ) {
    this.worth = [...pairs.values()];
    for (const [at, pair] of [...pairs.keys()].entries()) {
      const [first, second] = pair.split(' ').map((word) => index.numberOf(word));
      if (first === undefined || second === undefined) continue;
      const following = this.beginning.get(first) ?? new Map<number, number>();
      this.beginning.set(first, following.set(second, at));
    }
  }

  /** Adds in the order of the prompt, as `keywordScore` does. */
  addTo(weighed: number, place: number): number {
    if (this.beginning.size === 0) return weighed;
    const { neighbours, neighboursFrom } = this.index;
    const { values } = neighbours;
    const found = new Set<number>();
    const end = WordIndex.endOf(neighboursFrom, place, neighbours) - 1;
    for (let at = neighboursFrom.at(place); at < end; at += 1) {
      const pair = this.beginning.get(values[at] ?? 0)?.get(values[at + 1] ?? 0);
      if (pair !== undefined) found.add(pair);
    }
    if (found.size === 0) return weighed;
    return this.worth.reduce(
      (sum, worth, at) => (found.has(at) ? sum + neighbourhood * worth : sum),
      weighed,
    );
  }
}
