import type { Statistics } from './document.js';
import { step, STEPS } from './keyword-score.js';
import { MAX_TERMS } from './prompt.js';
import type { Asked } from './rank.js';
import { NAME_BIT, type WordIndex } from './word-index.js';

/** What is looked for in an index. */
export interface Sought {
  readonly asked: Asked;
  /** Of the documents marked. */
  readonly statistics: Statistics;
  /** 1 for each document that may be found. */
  readonly marked: Uint8Array;
  readonly limit: number;
}

/** Which terms of a prompt a document holds: a bit for each of the first 32, and for each of the others. */
export interface Held {
  readonly first: number;
  readonly others: number;
}

/** Bit from which on it is counted how many terms the name holds: below are those of the terms from the 33rd on. */
const NAMED_BIT = MAX_TERMS - 32;
const NAMED = 1 << NAMED_BIT;
const OTHERS = NAMED - 1;

/** The bit of the term of this number in the first half (0) or the other (1); 0 where it is not there. */
export function bitOf(term: number, half: 0 | 1): number {
  return term >>> 5 === half ? 1 << (term & 31) : 0;
}

/** What the terms of a prompt are worth in the documents of an index; to be cleared for the next search. */
export class WordSums {
  private readonly scratch: ReturnType<WordIndex['sums']>;
  private readonly weights: readonly number[];
  private readonly shares: readonly number[];

  constructor(
    private readonly index: WordIndex,
    private readonly sought: Sought,
  ) {
    const { terms, total } = sought.asked.prompt;
    this.scratch = index.sums();
    this.weights = terms.map(({ weight }) => weight);
    this.shares = terms.map(({ weight }) => weight / total);
  }

  /** Adds the term of this number to each document that holds it and is not settled; from then on these are looked at. */
  addToEach(at: number): void {
    const { noted, settled } = this.scratch;
    const { marked } = this.sought;
    const { numbers, marks } = this.index.postings;
    this.runs(at, (from, to) => {
      for (let next = from; next < to; next += 1) {
        const place = numbers.values[next] ?? 0;
        const mark = marks.values[next] ?? 0;
        if (marked[place] !== 1 || mark === 0) continue;
        const own = 1 << (place & 31);
        if (((settled[place >>> 5] ?? 0) & own) !== 0) continue;
        // Noted by a bit: a list of places, each looked for first, took most of the time.
        noted[place >>> 5] = (noted[place >>> 5] ?? 0) | own;
        this.addOne(at, place, mark);
      }
    });
  }

  /** Adds it to those alone that are looked at and not settled. */
  addToNoted(at: number): void {
    const { noted } = this.scratch;
    const { numbers, marks } = this.index.postings;
    this.runs(at, (from, to) => {
      for (let next = from; next < to; next += 1) {
        const place = numbers.values[next] ?? 0;
        if (((noted[place >>> 5] ?? 0) & (1 << (place & 31))) === 0) continue;
        const mark = marks.values[next] ?? 0;
        if (mark !== 0) this.addOne(at, place, mark);
      }
    });
  }

  /** Looks at a document, whatever it holds. */
  note(place: number): void {
    const { noted } = this.scratch;
    noted[place >>> 5] = (noted[place >>> 5] ?? 0) | (1 << (place & 31));
  }

  /** Of those that are looked at all is added up. */
  settle(): void {
    const { noted, settled } = this.scratch;
    settled.set(noted);
    noted.fill(0);
  }

  /** Places of the documents that are looked at, or settled; until it is asked again. */
  places(): Uint32Array {
    const { noted, settled, places } = this.scratch;
    let length = 0;
    for (let at = 0; at < noted.length; at += 1) {
      for (let left = (noted[at] ?? 0) | (settled[at] ?? 0); left !== 0; left &= left - 1) {
        places[length] = 32 * at + 31 - Math.clz32(left & -left);
        length += 1;
      }
    }
    return places.subarray(0, length);
  }

  clear(): void {
    const { worth, noted, settled } = this.scratch;
    for (const place of this.places()) worth[2 * place] = worth[2 * place + 1] = 0;
    noted.fill(0);
    settled.fill(0);
  }

  /** What its terms weigh together. */
  worth(place: number): number {
    return this.scratch.worth[2 * place] ?? 0;
  }

  held(place: number): Held {
    const { held } = this.scratch;
    return { first: held[4 * place + 2] ?? 0, others: (held[4 * place + 3] ?? 0) & OTHERS };
  }

  /** Share of the prompt that it holds, added up in the order of the prompt as `keywordScore` does. */
  share(place: number): number {
    const { first, others } = this.held(place);
    const { shares } = this;
    let share = 0;
    for (let left = first; left !== 0; left &= left - 1) share += shares[31 - Math.clz32(left & -left)] ?? 0;
    for (let left = others; left !== 0; left &= left - 1) share += shares[63 - Math.clz32(left & -left)] ?? 0;
    return share;
  }

  /** How many terms stand in its name. */
  named(place: number): number {
    return (this.scratch.held[4 * place + 3] ?? 0) >>> NAMED_BIT;
  }

  private runs(at: number, visit: (from: number, to: number) => void): void {
    const list = this.index.numberOf(this.sought.asked.prompt.terms[at]?.word ?? '');
    if (list !== undefined) this.index.postings.runs(list, visit);
  }

  private addOne(at: number, place: number, mark: number): void {
    const { worth, held } = this.scratch;
    worth[2 * place] = (worth[2 * place] ?? 0) + (this.weights[at] ?? 0) * ((mark & STEPS) * step);
    const half = 4 * place + (at < 32 ? 2 : 3);
    held[half] = (held[half] ?? 0) | (1 << (at & 31));
    if (mark >>> NAME_BIT === 1) held[4 * place + 3] = (held[4 * place + 3] ?? 0) + NAMED;
  }
}
