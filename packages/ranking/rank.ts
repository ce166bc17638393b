import type { Document, Statistics } from './document.js';
import { type Counted, keywordScore, type KeywordScore, type Matched } from './keyword-score.js';
import { promptOf, type Prompt } from './prompt.js';
import type { Worths } from './worths.js';
import { isInformational, product, weightOf, type RankingSignals, type Weight } from './weight.js';

/** Cosines of a prompt's vector and those of a document; absent where there are none. */
export interface Cosines {
  /** Of its text. */
  readonly cosine?: number | undefined;
  /** Of the nearest of its examples. */
  readonly exampleCosine?: number | undefined;
}

/** A document with what else counts. */
export interface Candidate extends RankingSignals, Cosines {
  readonly document: Document;
  /** What an index has counted already; then the words of the document are not looked at, and none is named as matched. */
  readonly counted?: Counted | undefined;
}

/** How the vectors of a model count. */
export interface VectorTerms {
  /** 0 to 1: share of the vectors in the score. */
  readonly share: number;
  /**
   * Whether a vector is worth at most what the words of the best are worth, instead of 1: the words of a long prompt are each worth
   * little, and vectors that are worth the same for every prompt would count too much there and too little for short ones.
   */
  readonly besideWords: boolean;
  /** Cosine that texts without anything in common have: below it nothing counts. */
  readonly floor: number;
  /** Whether a vector alone makes a find, where no word does. */
  readonly alone: boolean;
}

/** Worth of the nearest example beside the text: at most this share of what the text leaves open up to 1. */
const nearestExample = 0.7;

/** Terms for built-in vectors ([decision 101](../../docs/decisions/0101-meaning-without-a-model.md)). */
export const builtInTerms: VectorTerms = { share: 0.43, besideWords: true, floor: 0, alone: false };

/** Terms for the vectors of a model of sentences: in most of them unrelated texts are as like as the floor says. */
export const modelTerms: VectorTerms = { share: 0.5, besideWords: false, floor: 0.2, alone: true };

export interface Ranked<C extends Candidate = Candidate> {
  readonly candidate: C;
  /** `((1 − share) · keywordScore + share · best · vectorScore) · weight`. */
  readonly score: number;
  /** 0 to 1. */
  readonly keywordScore: number;
  /** 0 to 1; null where there is no vector. */
  readonly vectorScore: number | null;
  readonly weight: number;
  readonly parts: Parts;
}

/** Where the scores come from. */
export interface Parts {
  readonly words: number;
  /** 0 to 1: share of its name that the prompt holds; counted in `words`. */
  readonly name: number;
  readonly example: number;
  /** How like the prompt each example is that votes for it, the nearest first. */
  readonly votes: readonly number[];
  /** 0 to 1: that of the vectors; 0 where none is compared. */
  readonly share: number;
  /** What a vector score of 1 is worth: where it counts beside words, the best keyword score that was found; else 1. */
  readonly best: number;
  readonly weight: Weight;
  /** Terms of the prompt that its words hold. */
  readonly matched: readonly Matched[];
}

/** A prompt taken apart, so that whoever has an index can look up its words before ranking what holds them. */
export interface Asked {
  readonly prompt: Prompt;
  readonly informational: boolean;
}

export function askedOf(text: string, statistics: Statistics, worths?: Worths): Asked {
  return { prompt: promptOf(text, statistics, worths), informational: isInformational(text) };
}

/** The candidates that have anything to do with the prompt, best first, ties by id. */
export function rank<C extends Candidate>(
  asked: string | Asked,
  candidates: readonly C[],
  statistics: Statistics,
  terms: VectorTerms = builtInTerms,
): Ranked<C>[] {
  const { prompt, informational } = typeof asked === 'string' ? askedOf(asked, statistics) : asked;
  const { share, besideWords, alone } = terms;
  const found: { candidate: C; keyword: KeywordScore; vector: number | null }[] = [];
  for (const candidate of candidates) {
    const { document, counted } = candidate;
    const vector = vectorScore(candidate, terms);
    if (counted === undefined && vector === null && !mentions(document, prompt)) continue;
    const keyword =
      counted === undefined
        ? keywordScore(prompt, document, statistics)
        : { ...counted, matched: [], votes: [] };
    if (!alone && keyword.score === 0) continue;
    found.push({ candidate, keyword, vector });
  }
  const best = besideWords ? found.reduce((most, { keyword }) => Math.max(most, keyword.score), 0) : 1;
  const isVectorless = found.every(({ vector }) => vector === null);
  const ranked = found.map(({ candidate, keyword, vector }) => {
    const isCompared = vector !== null || (besideWords && !isVectorless);
    return scored(candidate, { keyword, vector, share: isCompared ? share : 0, best, informational });
  });
  return ranked.filter(({ score }) => score > 0).sort(byScore(({ candidate }) => candidate.document.id));
}

/** The order of whatever is found: best first, ties by id. */
export function byScore<Found extends { readonly score: number }>(idOf: (found: Found) => string) {
  return (a: Found, b: Found): number => b.score - a.score || (idOf(a) < idOf(b) ? -1 : 1);
}

/** 0 to 1, or null where there is no vector. */
function vectorScore({ cosine, exampleCosine }: Cosines, { floor }: VectorTerms): number | null {
  if (cosine === undefined && exampleCosine === undefined) return null;
  const likeness = (of = floor) => Math.max(0, (of - floor) / (1 - floor));
  return 1 - (1 - likeness(cosine)) * (1 - nearestExample * likeness(exampleCosine));
}

/** Whether anything of it could be found: most of many documents hold no word of a prompt, and need no more than this. */
function mentions({ counts, examples }: Document, { terms }: Prompt): boolean {
  return examples.length > 0 || terms.some(({ word }) => counts.has(word));
}

function scored<C extends Candidate>(
  candidate: C,
  { keyword, vector, share, best, informational }: Scores,
): Ranked<C> {
  const factors = weightOf(candidate, informational);
  const weight = product(factors);
  const { score: keywordScore, words, name, example, votes, matched } = keyword;
  const relevance = (1 - share) * keywordScore + share * best * (vector ?? 0);
  const parts = { words, name, example, votes, share, best, weight: factors, matched };
  return { candidate, score: relevance * weight, keywordScore, vectorScore: vector, weight, parts };
}

interface Scores {
  readonly keyword: KeywordScore;
  readonly vector: number | null;
  readonly share: number;
  readonly best: number;
  readonly informational: boolean;
}
