import { type Document, type Field, fields, isOfName, rarity, type Statistics } from './document.js';
import { sum, type Prompt, type Term } from './prompt.js';

/** From which on more of the same word hardly counts (k1 of BM25). */
const saturation = 1.2;
/** What neighbouring words found as neighbours add to their own worth. */
export const neighbourhood = 0.5;
/** How much finding all of the prompt is worth over finding one word of it often. */
const completeness = 0.5;
/** Examples nearest to a prompt that vote for their tool. */
const VOTING = 5;

export interface KeywordScore extends Counted {
  /** Terms of the prompt that its words hold. */
  readonly matched: readonly Matched[];
  /** How like the prompt each example is that votes for it, the nearest first. */
  readonly votes: readonly number[];
}

export interface Matched extends Term {
  /** 0 to 1: what the term is worth of the whole prompt. */
  readonly share: number;
}

/** What the words of one document are worth. */
export interface Counted {
  /** 0 to 1: how much of the prompt the words hold, and how prominently. */
  readonly score: number;
  /** Of the words alone, without the examples. */
  readonly words: number;
  /** 0 to 1: share of the words of its name that the prompt holds. */
  readonly name: number;
  /** 0 to 1: how near the prompt is to the example prompts. */
  readonly example: number;
}

/**
 * BM25F: the fields are added up, weighted and set against their usual length, before they saturate; so a word in the
 * name is worth more, and a long schema does not win by its length. On top come neighbouring words, completeness, and how
 * much of the name the prompt holds. Each example is a document of its own: the nearest vote for their tool, however many
 * there are beside them.
 */
export function keywordScore(prompt: Prompt, document: Document, statistics: Statistics): KeywordScore {
  const { total } = prompt;
  const matched: Matched[] = [];
  let weighed = 0;
  let complete = 0;
  let named = 0;
  for (const term of prompt.terms) {
    const occurrences = document.counts.get(term.word);
    if (occurrences === undefined) continue;
    weighed += term.weight * (stepsOf(occurrences, document.lengths) * step);
    const share = term.weight / total;
    matched.push({ ...term, share });
    complete += share;
    if (isOfName(occurrences)) named += 1;
  }
  for (const [pair, weight] of prompt.pairs) if (document.pairs.has(pair)) weighed += neighbourhood * weight;
  const name = shareOfName(named, document.nameWords);
  const words = wordsScore(prompt, weighed, complete, name);
  const votes = nearest(likenesses(prompt, document, statistics));
  const example = voted(votes);
  return { score: withExample(prompt, words, example), words, name, example, matched, votes };
}

/** 0 to 1, of what the words weigh, and of the shares of the prompt and of the name that were found. */
export function wordsScore(
  { total, pairTotal, worths }: Prompt,
  weighed: number,
  complete: number,
  name: number,
): number {
  const most =
    (total * (saturation + 1) + neighbourhood * pairTotal) * (1 + completeness) * (1 + worths.named);
  return (weighed * (1 + completeness * complete) * (1 + worths.named * name)) / most;
}

/** 0 to 1; several words of a prompt may be taken for the same word. */
export function shareOfName(held: number, words: number): number {
  return words === 0 ? 0 : Math.min(held / words, 1);
}

export function withExample({ worths }: Prompt, words: number, example: number): number {
  return (words + worths.example * example) / (1 + worths.example);
}

/** Of the examples those that vote, the nearest first. */
export function nearest(likenesses: readonly number[]): readonly number[] {
  return [...likenesses].sort((a, b) => b - a).slice(0, VOTING);
}

/** 0 to 1: each of the nearest examples fills of what is still open as much as it is like the prompt. */
export function voted(votes: readonly number[]): number {
  return 1 - votes.reduce((open, likeness) => open * (1 - likeness), 1);
}

/** Steps in which prominence is counted: an index has 15 bits for them. */
export const STEPS = 32_767;
/** What one step of {@link stepsOf} is worth. */
export const step = (saturation + 1) / STEPS;

/** How prominently a word stands in a document: 1 to {@link STEPS}. */
export function stepsOf(
  occurrences: ReadonlyMap<Field, number>,
  lengths: ReadonlyMap<Field, number>,
): number {
  let amount = 0;
  for (const [field, times] of occurrences) {
    const { weight, usual, slope } = fields[field];
    amount += (weight * times) / (1 - slope + (slope * (lengths.get(field) ?? 0)) / usual);
  }
  return Math.max(1, Math.round((amount / (amount + saturation)) * STEPS));
}

export function lengthOf(weights: readonly number[]): number {
  return Math.sqrt(sum(weights.map((weight) => weight ** 2)));
}

/** Of each example that shares a word with the prompt, how like it is. */
function likenesses(prompt: Prompt, { examples }: Document, statistics: Statistics): number[] {
  const { terms } = prompt;
  return examples.flatMap((example) => {
    const shared = sum(
      terms.map(({ word, weight }) => (example.has(word) ? weight * rarity(word, statistics) : 0)),
    );
    if (shared === 0) return [];
    const held = sum(terms.map(({ word, weight }) => (example.has(word) ? weight : 0)));
    const length = lengthOf([...example].map((word) => rarity(word, statistics)));
    return [likenessOf(prompt, { shared, held, length })];
  });
}

/** An example beside a prompt: their product, what of the prompt it holds, and its own length, each word worth its rarity. */
interface Compared {
  readonly shared: number;
  readonly held: number;
  readonly length: number;
}

/** 0 to 1: between the cosine, and the share of the prompt that the example holds, however much else it says. */
export function likenessOf({ terms, total }: Prompt, { shared, held, length }: Compared): number {
  const asked = lengthOf(terms.map(({ weight }) => weight)) || 1;
  return (Math.min(shared / (asked * length), 1) + Math.min(held / total, 1)) / 2;
}
