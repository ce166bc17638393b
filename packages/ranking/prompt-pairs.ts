import { neighbourhood } from './keyword-score.js';
import { MAX_TERMS, type Prompt } from './prompt.js';
import { WordIndex } from './word-index.js';
import { bitOf, type Held } from './word-sums.js';

/** Two words that are neighbours in a prompt: what they add where they are neighbours in a document, and the bits of both. */
interface Pair extends Held {
  readonly worth: number;
}

/** Which neighbours of a prompt are neighbours in a document, too. */
export class PromptPairs {
  private readonly pairs: readonly Pair[];
  /** Of the number of a word: the pairs that it begins, by the number of the word that follows. */
  private readonly beginning = new Map<number, Map<number, number>>();
  /** Of each eight terms, for whichever of them are held: what the pairs add that these begin. */
  private readonly begun = new Float64Array((MAX_TERMS / 8) * 256);
  /** Of each term what the pairs add that hold no rarer one. */
  readonly lifts = new Float64Array(MAX_TERMS);

  constructor(
    private readonly index: WordIndex,
    { pairs, terms }: Prompt,
  ) {
    const termOf = new Map(terms.map(({ word }, at) => [word, at]));
    const ofTerms = new Float64Array(MAX_TERMS);
    this.pairs = [...pairs].map(([pair, weight], at) => {
      const [first = '', second = ''] = pair.split(' ');
      const begins = index.numberOf(first) ?? -1;
      const following = this.beginning.get(begins) ?? new Map<number, number>();
      this.beginning.set(begins, following.set(index.numberOf(second) ?? -1, at));
      const [one, other] = [termOf.get(first) ?? 0, termOf.get(second) ?? 0];
      const worth = neighbourhood * weight;
      const rarer = Math.min(one, other);
      ofTerms[one] = (ofTerms[one] ?? 0) + worth;
      this.lifts[rarer] = (this.lifts[rarer] ?? 0) + worth;
      return { worth, first: bitOf(one, 0) | bitOf(other, 0), others: bitOf(one, 1) | bitOf(other, 1) };
    });
    for (let at = 1; at < this.begun.length; at += 1) {
      const held = at & 255;
      if (held === 0) continue;
      const lowest = 8 * (at >>> 8) + 31 - Math.clz32(held & -held);
      this.begun[at] = (this.begun[at & (at - 1)] ?? 0) + (ofTerms[lowest] ?? 0);
    }
  }

  /** At least {@link most}, and quicker: what the pairs add that begin with a term that a document holds. */
  roughly({ first, others }: Held): number {
    const { begun } = this;
    let most = 0;
    for (let shift = 0; shift < 32; shift += 8) most += begun[32 * shift + ((first >>> shift) & 255)] ?? 0;
    if (others === 0) return most;
    return most + (begun[1024 + (others & 255)] ?? 0) + (begun[1280 + (others >>> 8)] ?? 0);
  }

  /** What those add at most of whose words a document holds both. */
  most({ first, others }: Held): number {
    let most = 0;
    for (const pair of this.pairs) {
      if ((first & pair.first) === pair.first && (others & pair.others) === pair.others) most += pair.worth;
    }
    return most;
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
    return this.pairs.reduce((all, { worth }, at) => (found.has(at) ? all + worth : all), weighed);
  }
}
