import { type Document, type Field, fields, rarity, type Statistics } from './document.js';
import { sum, type Prompt, type Term } from './prompt.js';

/** From which on more of the same word hardly counts (k1 of BM25). */
const saturation = 1.2;
/** What neighbouring words found as neighbours add to their own worth. */
const neighbourhood = 0.5;
/** How much finding all of the prompt is worth over finding one word of it often. */
const completeness = 0.5;
/** What the example prompts add, where 1 is a full match of the words. */
const exampleWorth = 0.3;
/** By how much each further example makes a word in one of them count less: two hundred hold almost any word. */
const crowding = 0.05;

export interface KeywordScore {
  /** 0 to 1: how much of the prompt the words hold, and how prominently. */
  readonly score: number;
  /** Of the words alone, without the examples. */
  readonly words: number;
  /** 0 to 1: how near the prompt is to the example prompts. */
  readonly example: number;
  /** Terms of the prompt that its words hold. */
  readonly matched: readonly Term[];
}

/**
 * BM25F: the fields are added up, weighted and set against their usual length, before they saturate; so a word in the
 * name is worth more, and a long schema does not win by its length. On top come neighbouring words and completeness.
 * The best example counts as a whole, however many there are, and beside it the words that several of them hold: three
 * help at once, two hundred drown nothing.
 */
export function keywordScore(prompt: Prompt, document: Document, statistics: Statistics): KeywordScore {
  const { total, pairTotal } = prompt;
  const matched: Term[] = [];
  let weighed = 0;
  let complete = 0;
  for (const term of prompt.terms) {
    const occurrences = document.counts.get(term.word);
    if (occurrences === undefined) continue;
    matched.push(term);
    weighed += term.weight * saturated(occurrences, document);
    complete += term.weight / total;
  }
  for (const [pair, weight] of prompt.pairs) if (document.pairs.has(pair)) weighed += neighbourhood * weight;
  const maximum = (total * (saturation + 1) + neighbourhood * pairTotal) * (1 + completeness);
  const words = (weighed * (1 + completeness * complete)) / maximum;
  const example = exampleScore(prompt, document, statistics);
  return { score: (words + exampleWorth * example) / (1 + exampleWorth), words, example, matched };
}

function saturated(occurrences: ReadonlyMap<Field, number>, { lengths }: Document): number {
  let amount = 0;
  for (const [field, times] of occurrences) {
    const { weight, usual, slope } = fields[field];
    amount += (weight * times) / (1 - slope + (slope * (lengths.get(field) ?? 0)) / usual);
  }
  return (amount * (saturation + 1)) / (amount + saturation);
}

/** What the best example leaves open, the words that examples have in common may fill. */
function exampleScore(prompt: Prompt, document: Document, statistics: Statistics): number {
  const { examples } = document;
  if (examples.length === 0) return 0;
  const best = bestExample(prompt, document, statistics);
  const held = prompt.terms.map(({ word, weight }) => {
    const times = examples.filter((example) => example.has(word)).length;
    return (weight * times) / (times + 1 + crowding * examples.length);
  });
  return best + ((1 - best) * sum(held)) / prompt.total;
}

/** Cosine of the words, each worth its rarity, to the example most alike. */
function bestExample({ terms }: Prompt, { examples }: Document, statistics: Statistics): number {
  const asked = Math.sqrt(sum(terms.map(({ weight }) => weight ** 2))) || 1;
  let best = 0;
  for (const example of examples) {
    const shared = sum(
      terms.map(({ word, weight }) => (example.has(word) ? weight * rarity(word, statistics) : 0)),
    );
    if (shared === 0) continue;
    const length = Math.sqrt(sum([...example].map((word) => rarity(word, statistics) ** 2)));
    best = Math.max(best, shared / (asked * length));
  }
  return Math.min(best, 1);
}
