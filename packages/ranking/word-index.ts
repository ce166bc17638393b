import {
  allWordsOf,
  type Document,
  documentOf,
  fieldNames,
  fields,
  isOfName,
  type Statistics,
  type Words,
} from './document.js';
import { bytes, doubles, integers, shorts } from './growing.js';
import { STEPS, stepsOf } from './keyword-score.js';
import { PostingLists } from './posting-lists.js';
import { slipsAllowed, slipsBetween } from './prompt.js';

/** Number of the bit of a posting whose word stands in the name; the others are its steps. */
export const NAME_BIT = 15;
/** Stands between two fields, where no words are neighbours. */
const GAP = 0xffff_ffff;
/** Words of nearly the same letters that one is compared with, the first: who writes skills may write any number of them. */
const MAX_COMPARED = 20_000;
/** Bytes of a word, and of a document, beside their numbers: texts, and their places in maps. */
const [OF_WORD, OF_DOCUMENT] = [120, 90];
/** Bytes of what a search adds up of a document. */
const OF_SCRATCH = 20.25;

/** What a search adds up of each document; all of one document lies together, since each lies somewhere else in memory. */
interface Scratch {
  /** What its words weigh, at twice its place. */
  readonly worth: Float64Array;
  /**
   * Of the same bytes, two numbers behind four times its place: a bit for each of the first 32 terms that it holds; and for each
   * of the others, with how many stand in its name above them.
   */
  readonly held: Int32Array;
  /** A bit for each document that is looked at, and for each of which all is added up. */
  readonly noted: Uint32Array;
  readonly settled: Uint32Array;
  /** Room for their places. */
  readonly places: Uint32Array;
}

function scratchOf(documents: number): Scratch {
  const worth = new Float64Array(2 * documents);
  const held = new Int32Array(worth.buffer);
  const bits = () => new Uint32Array(Math.ceil(documents / 32));
  return { worth, held, noted: bits(), settled: bits(), places: new Uint32Array(documents) };
}

/**
 * The words of many documents, in typed arrays: where each stands and how prominently, the order of those that may be
 * neighbours, and the examples. Documents are added behind the others; one that is removed leaves its numbers behind, until
 * the index is made anew. Says what `keywordScore` says of each document, to the last bit (`word-search.ts`).
 */
export class WordIndex {
  /** Changes with every change of the documents. */
  version = 0;
  readonly ids: string[] = [];
  /** 1 where the document is still there. */
  readonly live = bytes();
  /**
   * Of each word the documents that hold it, with how prominently (`stepsOf`) and {@link NAME_BIT} where it stands in the name; 0
   * where it stands in examples alone.
   */
  readonly postings = new PostingLists();
  /** Of each word the examples that hold it. */
  readonly exampleLists = new PostingLists();
  /** Factor of the score of each document, where the prompt only asks and where it does not. */
  readonly weights = { informational: doubles(), other: doubles() };
  /** The largest of these factors. */
  largestWeight = 0;
  /** Of each document how many different words its name has. */
  readonly nameWords = shorts();
  /** Numbers of the words that may be neighbours, of all documents; of each the first of its own. */
  readonly neighbours = integers();
  readonly neighboursFrom = integers();
  /** Of each document its first example; of each example its document and the first of its words. */
  readonly examplesFrom = integers();
  readonly exampleDocument = integers();
  readonly exampleWordsFrom = integers();
  readonly exampleWords = integers();
  private readonly numbers = new Map<string, number>();
  private readonly words: string[] = [];
  private readonly places = new Map<string, number>();
  private readonly byLength: number[][] = [];
  private readonly letters = integers();
  private readonly prominences = shorts();
  private scratch = scratchOf(0);

  /** Documents that are there. */
  get size(): number {
    return this.places.size;
  }

  /** Documents that were removed since. */
  get gone(): number {
    return this.ids.length - this.places.size;
  }

  /** About how many bytes it takes. */
  get bytes(): number {
    const { informational, other } = this.weights;
    const kept = [
      this.live,
      informational,
      other,
      this.nameWords,
      this.neighbours,
      this.neighboursFrom,
      this.examplesFrom,
    ];
    const ofExamples = [this.exampleDocument, this.exampleWordsFrom, this.exampleWords];
    const lists = [this.postings, this.exampleLists, this.letters, this.prominences];
    const numbers = [...kept, ...ofExamples, ...lists].reduce((sum, each) => sum + each.bytes, 0);
    return (
      numbers +
      this.scratch.places.length * OF_SCRATCH +
      this.words.length * OF_WORD +
      this.ids.length * OF_DOCUMENT
    );
  }

  /** Adds a document, in place of that of the same id. */
  put(id: string, words: Words, weights: { readonly informational: number; readonly other: number }): number {
    this.remove(id);
    const document = documentOf(id, words);
    const place = this.ids.length;
    this.ids.push(id);
    this.places.set(id, place);
    this.live.push(1);
    this.weights.informational.push(weights.informational);
    this.weights.other.push(weights.other);
    this.largestWeight = Math.max(this.largestWeight, weights.informational, weights.other);
    this.nameWords.push(document.nameWords);
    this.addPostings(place, document);
    this.addNeighbours(words);
    this.addExamples(place, document);
    this.version += 1;
    return place;
  }

  remove(id: string): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.places.delete(id);
    this.live.values[place] = 0;
    this.version += 1;
  }

  /** What a search adds up, all 0: who asks leaves it so. */
  sums(): Scratch {
    if (this.scratch.places.length < this.ids.length) this.scratch = scratchOf(this.live.values.length);
    return this.scratch;
  }

  numberOf(word: string): number | undefined {
    return this.numbers.get(word);
  }

  /** How many documents hold a word, or did before they were changed. */
  countOf(word: string): number {
    const number = this.numbers.get(word);
    return number === undefined ? 0 : this.postings.countOf(number);
  }

  /** The most steps with which a word stands in any document. */
  prominenceOf(word: string): number {
    const number = this.numbers.get(word);
    return number === undefined ? 0 : this.prominences.at(number);
  }

  wordAt(number: number): string {
    return this.words[number] ?? '';
  }

  /** The end of a document's, or an example's, part of a list: where the next one's begins. */
  static endOf(from: ReturnType<typeof integers>, index: number, all: { readonly length: number }): number {
    return index + 1 < from.length ? from.at(index + 1) : all.length;
  }

  /** Statistics of the documents that are marked by 1. */
  statisticsOf(marked: Uint8Array): Statistics {
    const known = new Map<number, number>();
    const frequencyOf = (number: number): number => {
      const before = known.get(number);
      if (before !== undefined) return before;
      let among = 0;
      this.postings.each(number, (place) => (among += marked[place] ?? 0));
      known.set(number, among);
      return among;
    };
    const frequency = (word: string): number => {
      const number = this.numbers.get(word);
      return number === undefined ? 0 : frequencyOf(number);
    };
    const held: Uint32Array[] = [];
    const ofLength = (length: number): Uint32Array =>
      (held[length] ??= Uint32Array.from(
        (this.byLength[length] ?? []).filter((number) => this.isHeld(number, marked)),
      ));
    const near = (written: string) =>
      this.likeLetters(written, ofLength).map((number) => this.wordAt(number));
    return { documents: marked.reduce((sum, each) => sum + each, 0), frequency, vocabulary: [], near };
  }

  /** Whether a document holds the word that is marked by 1. */
  private isHeld(number: number, marked: Uint8Array): boolean {
    const { values } = this.postings.numbers;
    let held = false;
    this.postings.runs(number, (from, to) => {
      for (let at = from; at < to && !held; at += 1) held = marked[values[at] ?? 0] === 1;
    });
    return held;
  }

  /**
   * Of the words of each length that are given those with about the letters of this one: at least all that it may stand for. Those
   * of documents that the asker may not see are not among them, since only so many are compared.
   */
  private likeLetters(written: string, ofLength: (length: number) => Uint32Array): number[] {
    const slips = slipsAllowed(written);
    if (slips === 0) return [];
    const asked = lettersOf(written);
    const lengths = Array.from({ length: 2 * slips + 1 }, (_, at) => ofLength(written.length - slips + at));
    // A letter in the place of another is one more, and one fewer.
    let compared = 0;
    const near = (number: number): boolean =>
      bitsOf(asked ^ this.letters.at(number)) <= 2 * slips &&
      (compared += 1) <= MAX_COMPARED &&
      slipsBetween(written, this.wordAt(number), slips) <= slips;
    return lengths.flatMap((numbers) => [...numbers.filter(near)]);
  }

  private addPostings(place: number, document: Document): void {
    for (const word of allWordsOf(document)) {
      const occurrences = document.counts.get(word);
      const named = occurrences !== undefined && isOfName(occurrences) ? 1 << NAME_BIT : 0;
      const mark = occurrences === undefined ? 0 : stepsOf(occurrences, document.lengths) | named;
      const number = this.numberFor(word);
      this.postings.add(number, place, mark);
      this.prominences.values[number] = Math.max(this.prominences.at(number), mark & STEPS);
    }
  }

  private addNeighbours(words: Words): void {
    this.neighboursFrom.push(this.neighbours.length);
    for (const field of fieldNames) {
      if (fields[field].weight < 1) continue;
      for (const word of words.fields[field] ?? []) this.neighbours.push(this.numbers.get(word) ?? GAP);
      this.neighbours.push(GAP);
    }
  }

  private addExamples(place: number, { examples }: Document): void {
    this.examplesFrom.push(this.exampleDocument.length);
    for (const example of examples) {
      const number = this.exampleDocument.length;
      this.exampleDocument.push(place);
      this.exampleWordsFrom.push(this.exampleWords.length);
      for (const word of example) {
        const wordNumber = this.numberFor(word);
        this.exampleWords.push(wordNumber);
        this.exampleLists.add(wordNumber, number, 0);
      }
    }
  }

  private numberFor(word: string): number {
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    const number = this.words.length;
    this.numbers.set(word, number);
    this.words.push(word);
    this.letters.push(lettersOf(word));
    this.prominences.push(0);
    if (slipsAllowed(word) > 0) (this.byLength[word.length] ??= []).push(number);
    return number;
  }
}

/** A bit for each letter that a word holds. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters >>> 0;
}

function bitsOf(number: number): number {
  let [left, bits] = [number >>> 0, 0];
  for (; left !== 0; left &= left - 1) bits += 1;
  return bits;
}
