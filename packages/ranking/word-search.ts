import { type Votes, votesOf } from './example-votes.js';
import { type Counted, shareOfName, step, withExample, wordsScore } from './keyword-score.js';
import { PromptPairs } from './prompt-pairs.js';
import { byScore } from './rank.js';
import type { WordIndex } from './word-index.js';
import { type Sought, WordSums } from './word-sums.js';

/** A document with what its words are worth. */
export interface Found {
  readonly id: string;
  readonly counted: Counted;
}

/** A document that may be among the best, with the score that it has at most. */
interface Likely {
  readonly place: number;
  readonly most: number;
}

/** Sums of the same numbers differ by less than this where they are added up in another order. */
const ROUNDING = 1.000_001;

/**
 * The best documents, best first: those, in that order and with those scores, that `rank` gives of all that are marked, without vectors.
 * What the terms are worth is added up term by term, beside the votes of the examples; what could still be among the best is then
 * looked at more and more closely.
 */
export function searchWords(index: WordIndex, sought: Sought): Found[] {
  const sums = new WordSums(index, sought);
  try {
    return new WordSearch(index, sought, sums).best();
  } finally {
    // The next search takes the same numbers, all 0.
    sums.clear();
  }
}

class WordSearch {
  private readonly votes: Votes;
  private readonly pairs: PromptPairs;
  private readonly weights: WordIndex['weights']['other'];

  constructor(
    private readonly index: WordIndex,
    private readonly sought: Sought,
    private readonly sums: WordSums,
  ) {
    const { prompt, informational } = sought.asked;
    this.votes = votesOf(index, sought);
    this.pairs = new PromptPairs(index, prompt);
    this.weights = index.weights[informational ? 'informational' : 'other'];
  }

  best(): Found[] {
    const { limit } = this.sought;
    const largest = new Largest(limit);
    const best: { found: Found; score: number }[] = [];
    for (const { place, most } of this.likely(this.addTerms())) {
      if (most < largest.least) break;
      const counted = this.counted(place, this.pairs.addTo(this.sums.worth(place), place));
      const score = counted.score * this.weights.at(place);
      largest.add(score);
      if (score > 0) best.push({ found: { id: this.index.ids[place] ?? '', counted }, score });
    }
    best.sort(byScore(({ found }) => found.id));
    return best.slice(0, limit).map(({ found }) => found);
  }

  /**
   * The terms come by their weight, so that those come last that many documents hold, and those with the rare ones are the likely best.
   * Of these all is added up first: what the least of the best has tells which terms nobody needs to be looked at for who holds no
   * rarer one. Gives a score that so many have at least.
   */
  private addTerms(): number {
    const { index, sums, votes } = this;
    const { terms } = this.sought.asked.prompt;
    const counts = terms.map(({ word }) => index.countOf(word));
    const enough = counts.reduce((sum, count) => sum + count, 0) / 8;
    for (const place of votes.keys()) sums.note(place);
    let [rare, held] = [0, 0];
    while (rare < terms.length && held < enough) held += counts[rare++] ?? 0;
    for (let at = 0; at < rare; at += 1) sums.addToEach(at);
    for (let at = rare; at < terms.length; at += 1) sums.addToNoted(at);
    if (rare === terms.length) return 0;
    const least = this.least(sums.places());
    const needed = this.neededFor(least);
    if (needed <= rare) return least;
    sums.settle();
    for (let at = rare; at < needed; at += 1) sums.addToEach(at);
    for (let at = needed; at < terms.length; at += 1) sums.addToNoted(at);
    return least;
  }

  /** How many terms: a document that holds only others, and has no votes, has less than this score. */
  private neededFor(score: number): number {
    const { prompt } = this.sought.asked;
    const { terms } = prompt;
    let [weighed, share] = [0, 0];
    for (let at = terms.length - 1; at >= 0; at -= 1) {
      const { word, weight } = terms[at] ?? { word: '', weight: 0 };
      weighed += weight * (this.index.prominenceOf(word) * step) + (this.pairs.lifts[at] ?? 0);
      share += weight / prompt.total;
      const most = withExample(prompt, wordsScore(prompt, weighed, share, 1), 0) * this.index.largestWeight;
      if (most * ROUNDING >= score) return at + 1;
    }
    return 0;
  }

  /** Those whose neighbours could lift them above the least of the best; the likeliest first, since that raises the least. */
  private likely(floor: number): Likely[] {
    const { sums, votes, pairs } = this;
    const largest = new Largest(this.sought.limit, floor);
    let enough = this.enoughFor(floor);
    const likely: Likely[] = [];
    for (const place of sums.places()) {
      const [worth, held] = [sums.worth(place), sums.held(place)];
      if (worth + pairs.roughly(held) < enough && !votes.has(place)) continue;
      const most = this.scoreOf(place, (worth + pairs.most(held)) * ROUNDING);
      if (most < largest.least) continue;
      likely.push({ place, most });
      if (largest.add(this.scoreOf(place, worth))) enough = this.enoughFor(largest.least);
    }
    return likely.filter(({ most }) => most >= largest.least).sort((a, b) => b.most - a.most);
  }

  /** The least of the best of these places, by all but neighbours. */
  private least(places: Uint32Array): number {
    const { sums, votes } = this;
    const largest = new Largest(this.sought.limit);
    let enough = this.enoughFor(largest.least);
    for (const place of places) {
      const worth = sums.worth(place);
      if (worth < enough && !votes.has(place)) continue;
      if (largest.add(this.scoreOf(place, worth))) enough = this.enoughFor(largest.least);
    }
    return largest.least;
  }

  /** What the words of a document without votes must weigh at least for a score. */
  private enoughFor(score: number): number {
    const { prompt } = this.sought.asked;
    const most = withExample(prompt, wordsScore(prompt, 1, 1, 1), 0) * this.index.largestWeight;
    return score / (most * ROUNDING);
  }

  private scoreOf(place: number, weighed: number): number {
    return this.counted(place, weighed).score * this.weights.at(place);
  }

  private counted(place: number, weighed: number): Counted {
    const { sums, votes } = this;
    const { prompt } = this.sought.asked;
    const name = shareOfName(sums.named(place), this.index.nameWords.at(place));
    const words = wordsScore(prompt, weighed, sums.share(place), name);
    const example = votes.get(place) ?? 0;
    return { score: withExample(prompt, words, example), words, name, example };
  }
}

/** The largest of some numbers, so many. */
class Largest {
  private readonly values: number[] = [];

  /** @param floor what so many are known to have at least */
  constructor(
    private readonly most: number,
    private readonly floor = -Infinity,
  ) {}

  /** The least of them; while there are fewer, what they are known to have. */
  get least(): number {
    return this.values.length < this.most ? this.floor : (this.values[0] ?? Infinity);
  }

  /** Whether it is one of them. */
  add(value: number): boolean {
    if (value <= this.least || this.most === 0) return false;
    const { values } = this;
    if (values.length === this.most) values.shift();
    let at = values.length;
    while (at > 0 && (values[at - 1] ?? 0) > value) at -= 1;
    values.splice(at, 0, value);
    return true;
  }
}
