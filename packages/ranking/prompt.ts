import { pairsOf } from './document.js';
import { likelySpellings, mayBeMisspelt } from './spelling.js';
import { rarity, type Statistics } from './statistics.js';
import { wordsOf } from './words.js';

/** Most different words of a prompt that are looked for: the rarest. */
const MAX_TERMS = 48;
/** Most words of a prompt that are taken for misspelt, the first: each is compared with every word of the documents. */
export const MAX_MISSPELT = 24;
/** A number seldom names what is wanted; it is an argument. */
const numberWeight = 0.3;

export interface Term {
  readonly word: string;
  /** What a match is worth. */
  readonly weight: number;
  /** As it was written, where the word is what it probably meant. */
  readonly written?: string;
}

/** What is looked for. */
export interface Prompt {
  readonly terms: readonly Term[];
  /** Worth of neighbouring words found as neighbours. */
  readonly pairs: ReadonlyMap<string, number>;
  /** Worth of all terms, and of all pairs; where there are no terms it is 1. */
  readonly total: number;
  readonly pairTotal: number;
}

export function promptOf(text: string, statistics: Statistics): Prompt {
  const words = wordsOf(text);
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  const unknown = [...times.keys()].filter((word) => statistics.frequency(word) === 0 && mayBeMisspelt(word));
  const misspelt = new Set(unknown.slice(0, MAX_MISSPELT));
  const terms = [...times]
    .flatMap(([word, count]) => termsOf(word, count, { statistics, misspelt }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_TERMS);
  const weights = new Map(terms.map(({ word, weight }) => [word, weight]));
  const neighbours = pairsOf(words).map((pair) => {
    const [first = '', second = ''] = pair.split(' ');
    const weight = first === second ? 0 : Math.min(weights.get(first) ?? 0, weights.get(second) ?? 0);
    return [pair, weight] as const;
  });
  const pairs = new Map(neighbours.filter(([, weight]) => weight > 0));
  const total = sum(terms.map(({ weight }) => weight)) || 1;
  return { terms, pairs, total, pairTotal: sum([...pairs.values()]) };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Known {
  readonly statistics: Statistics;
  readonly misspelt: ReadonlySet<string>;
}

function termsOf(written: string, count: number, { statistics, misspelt }: Known): Term[] {
  const emphasis = (2 * count) / (count + 1);
  if (statistics.frequency(written) > 0) {
    const worth = /^\p{N}+$/u.test(written) ? numberWeight : 1;
    return [{ word: written, weight: rarity(written, statistics) * emphasis * worth }];
  }
  if (!misspelt.has(written)) return [];
  return likelySpellings(written, statistics.vocabulary).map(({ word, likeness }) => ({
    word,
    weight: rarity(word, statistics) * emphasis * likeness,
    written,
  }));
}
