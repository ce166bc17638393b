import { pairsOf, rarity, type Statistics } from './document.js';
import { requestWords } from './request-words.js';
import { joinedWordsOf, wordsOf } from './words.js';
import { learntWorths, type Worths } from './worths.js';

/** Most words that one misspelt word may stand for. */
const MAX_SPELLINGS = 3;

/** What a word that no document holds may have meant, most alike first: one slip of the pen, two in a long word. */
export function likelySpellings(
  written: string,
  vocabulary: Iterable<string>,
): readonly { readonly word: string; readonly likeness: number }[] {
  const slips = slipsAllowed(written);
  if (slips === 0) return [];
  const found: { word: string; likeness: number }[] = [];
  for (const word of vocabulary) {
    if (Math.abs(word.length - written.length) > slips || slipsAllowed(word) === 0) continue;
    const distance = slipsBetween(written, word, slips);
    if (distance <= slips) found.push({ word, likeness: 0.8 - 0.3 * (distance - 1) });
  }
  const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return found.sort((a, b) => b.likeness - a.likeness || order(a.word, b.word)).slice(0, MAX_SPELLINGS);
}

/** Of the words those that one may stand for. */
export function wordsNear(written: string, words: readonly string[]): string[] {
  const slips = slipsAllowed(written);
  return words.filter((word) => slipsAllowed(word) > 0 && slipsBetween(written, word, slips) <= slips);
}

function mayBeMisspelt(word: string): boolean {
  return slipsAllowed(word) > 0;
}

/** Short words are too near to each other, and numbers mean what they say. */
export function slipsAllowed(word: string): number {
  if (word.length < 5 || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/**
 * Letters missing, too many, wrong, or swapped with their neighbour (optimal string alignment); more than `limit` is
 * `limit + 1`. Only cells near the diagonal are looked at, in rows that are made once: a prompt is compared with every word
 * of a host, and strangers write those.
 */
export function slipsBetween(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const width = b.length + 1;
  if (width > rows[0].length) rows = [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)];
  let [before, above, current] = rows;
  for (let column = 0; column < width; column += 1) above[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const first = Math.max(1, row - limit);
    const last = Math.min(b.length, row + limit);
    // Beside those looked at nothing is near enough.
    let least = first === 1 ? row : limit + 1;
    current[first - 1] = least;
    for (let column = first; column <= last; column += 1) {
      const same = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let slips = cell(above, column - 1) + (same ? 0 : 1);
      const missing = cell(current, column - 1) + 1;
      if (missing < slips) slips = missing;
      const added = column === row + limit ? limit + 1 : cell(above, column) + 1;
      if (added < slips) slips = added;
      const isSwapped =
        row > 1 &&
        column > 1 &&
        a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
        a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
      if (isSwapped && cell(before, column - 2) + 1 < slips) slips = cell(before, column - 2) + 1;
      current[column] = slips;
      if (slips < least) least = slips;
    }
    if (least > limit) return limit + 1;
    [before, above, current] = [above, current, before];
  }
  return Math.min(cell(above, b.length), limit + 1);
}

type Row = Uint16Array<ArrayBuffer>;
let rows: [Row, Row, Row] = [new Uint16Array(128), new Uint16Array(128), new Uint16Array(128)];

function cell(row: Row, column: number): number {
  return row[column] ?? 0;
}

/** Different words of a prompt that are read, the first, and those that are joined of its names behind them. */
export const MAX_PROMPT_WORDS = 2_000;
/** Different words of a prompt that are looked for, the rarest first: an index keeps a bit for each (`word-sums.ts`). */
export const MAX_TERMS = 48;
/** Most words of a prompt that are taken for misspelt, the first: each is compared with every word of the documents. */
export const MAX_MISSPELT = 24;
/** A number seldom names what is wanted; it is an argument. */
const numberWeight = 0.3;

export interface Term {
  readonly word: string;
  /** Weight of a match. */
  readonly weight: number;
  /** The word as the prompt spells it, where `word` is a correction. */
  readonly written?: string;
}

/** A prompt, split into terms. */
export interface Prompt {
  readonly terms: readonly Term[];
  /** Worth of neighbouring words found as neighbours. */
  readonly pairs: ReadonlyMap<string, number>;
  /** Worth of all terms, and of all pairs; where there are no terms it is 1. */
  readonly total: number;
  readonly pairTotal: number;
  /** What its parts are worth. */
  readonly worths: Worths;
}

/** The words of a prompt that are read. */
export interface PromptWords {
  readonly text: string;
  /** All, in their order. */
  readonly words: readonly string[];
  /** How often each of the different ones stands there. */
  readonly times: ReadonlyMap<string, number>;
  /** Those that are joined of its names, besides; they count where a document holds them. */
  readonly joined: readonly string[];
}

/** The prompt that was taken apart last: each kind of document, and what counts their words, asks for the same one. */
let last: PromptWords | undefined;

export function promptWordsOf(text: string): PromptWords {
  if (last?.text === text) return last;
  const words = wordsOf(text);
  const times = new Map<string, number>();
  for (const word of words) {
    if (times.has(word) || times.size < MAX_PROMPT_WORDS) times.set(word, (times.get(word) ?? 0) + 1);
  }
  const joined = [...new Set(joinedWordsOf(text))].filter((word) => !times.has(word));
  last = { text, words, times, joined: joined.slice(0, MAX_PROMPT_WORDS - times.size) };
  return last;
}

/** Of the words of a prompt those that are taken for misspelt. */
export function misspeltIn({ times }: PromptWords, frequency: Statistics['frequency']): string[] {
  const unknown = [...times.keys()].filter((word) => mayBeMisspelt(word) && frequency(word) === 0);
  return unknown.slice(0, MAX_MISSPELT);
}

export function promptOf(text: string, statistics: Statistics, worths = learntWorths): Prompt {
  const asked = promptWordsOf(text);
  const { words, joined } = asked;
  const known = joined.filter((word) => statistics.frequency(word) > 0);
  const times = [...asked.times, ...known.map((word) => [word, 1] as const)];
  const misspelt = new Set(misspeltIn(asked, statistics.frequency));
  const terms = times
    .flatMap(([word, count]) => termsOf(word, count, { statistics, misspelt, worths }))
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
  return { terms, pairs, total, pairTotal: sum([...pairs.values()]), worths };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

interface Known {
  readonly statistics: Statistics;
  readonly misspelt: ReadonlySet<string>;
  readonly worths: Worths;
}

function termsOf(written: string, count: number, { statistics, misspelt, worths }: Known): Term[] {
  const emphasis = (2 * count) / (count + 1);
  if (statistics.frequency(written) > 0) {
    const worth = requestWords.has(written) ? worths.request : /^\p{N}+$/u.test(written) ? numberWeight : 1;
    return [{ word: written, weight: rarity(written, statistics) * emphasis * worth }];
  }
  if (!misspelt.has(written)) return [];
  const vocabulary = statistics.near?.(written) ?? statistics.vocabulary;
  return likelySpellings(written, vocabulary).map(({ word, likeness }) => ({
    word,
    weight: rarity(word, statistics) * emphasis * likeness,
    written,
  }));
}
