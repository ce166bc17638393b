import { indexWordsOf, joinedWordsOf, wordsOf } from './words.js';

/** What can be found: a tool, a skill or an endpoint, as texts under the names that weigh them. */
export interface Searchable {
  readonly id: string;
  readonly texts: Readonly<Partial<Record<TextField, string>>>;
  /** What people say when they want it. */
  readonly examples?: readonly string[];
}

/**
 * How much a word counts in a field, how many words such a field usually has, and how far a longer one counts less (b
 * of BM25F). The usual lengths are fixed, so that a score says nothing about documents that the asker may not see.
 */
export const fields = {
  name: { weight: 2, usual: 3, slope: 0.3 },
  /** Several parts of the name as one word, worth more than one part; beside it, so that it is as long as it is. */
  joined: { weight: 3, usual: 3, slope: 0.3 },
  description: { weight: 1.5, usual: 12, slope: 0.5 },
  /** Semantic description and keywords, domain, namespace, category, tags. */
  keywords: { weight: 1.5, usual: 6, slope: 0.5 },
  /** Names of the parameters. */
  parameters: { weight: 1, usual: 5, slope: 0.3 },
  /** Descriptions of the parameters; path; text of a skill. */
  details: { weight: 0.5, usual: 40, slope: 0.5 },
  /** Values that a parameter may take. */
  values: { weight: 0.7, usual: 6, slope: 0.5 },
  /** Names and descriptions of the skills that offer a tool. */
  skills: { weight: 0.4, usual: 8, slope: 0.5 },
} as const;

export type Field = keyof typeof fields;
/** Of these, what a text is written for. */
export type TextField = Exclude<Field, 'joined'>;
export const fieldNames = Object.keys(fields) as readonly Field[];

/** The words of a searchable, in their order: what is kept of it, so that no text is taken apart twice. */
export interface Words {
  readonly fields: Readonly<Partial<Record<Field, readonly string[]>>>;
  readonly examples: readonly (readonly string[])[];
}

/** Words counted, ready to be compared with a prompt. */
export interface Document {
  readonly id: string;
  /** How often each word occurs, by field. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<Field, number>>;
  /** Words by field. */
  readonly lengths: ReadonlyMap<Field, number>;
  /** Different words of its name. */
  readonly nameWords: number;
  /** `first second` of neighbouring words, but for long texts. */
  readonly pairs: ReadonlySet<string>;
  readonly examples: readonly ReadonlySet<string>[];
}

export function analyse({ texts, examples = [] }: Searchable): Words {
  const { name = '', description = '' } = texts;
  const entries = fieldNames.map((field) => {
    if (field === 'joined') return [field, joinedWordsOf(name)] as const;
    const words = indexWordsOf(texts[field] ?? '');
    // Not in the description, so that this is as long as it is.
    return [field, field === 'keywords' ? [...words, ...joinedWordsOf(description)] : words] as const;
  });
  return {
    fields: Object.fromEntries(entries.filter(([, words]) => words.length > 0)),
    examples: examples.map(wordsOf).filter((words) => words.length > 0),
  };
}

export function documentOf(id: string, words: Words): Document {
  const counts = new Map<string, Map<Field, number>>();
  const lengths = new Map<Field, number>();
  const pairs = new Set<string>();
  for (const field of fieldNames) {
    const list = words.fields[field] ?? [];
    lengths.set(field, list.length);
    for (const word of list) count(counts, word, field);
    if (fields[field].weight >= 1) for (const pair of pairsOf(list)) pairs.add(pair);
  }
  const nameWords = new Set(words.fields.name).size;
  return { id, counts, lengths, nameWords, pairs, examples: words.examples.map((list) => new Set(list)) };
}

/** Whether a word stands in the name, or is one that parts of it make together. */
export function isOfName(occurrences: ReadonlyMap<Field, number>): boolean {
  return occurrences.has('name') || occurrences.has('joined');
}

/** All words that it may be found by, each once: those of its examples, too. */
export function allWordsOf({ counts, examples }: Document): ReadonlySet<string> {
  return new Set([...counts.keys(), ...examples.flatMap((example) => [...example])]);
}

export function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index] ?? ''} ${word}`);
}

function count(counts: Map<string, Map<Field, number>>, word: string, field: Field): void {
  const known = counts.get(word) ?? new Map<Field, number>();
  known.set(field, (known.get(field) ?? 0) + 1);
  counts.set(word, known);
}

/** What the ranking must know of all documents together: never of more than the asker may see. */
export interface Statistics {
  readonly documents: number;
  /** In how many documents the word occurs, examples included. */
  readonly frequency: (word: string) => number;
  /** Words of the documents, for what a misspelt word may have meant. */
  readonly vocabulary: readonly string[];
  /** Of the vocabulary at least those that a word may stand for, where that is quicker told; the vocabulary is empty then. */
  readonly near?: (written: string) => readonly string[];
}

export function statisticsOf(documents: readonly Document[]): Statistics {
  const frequencies = new Map<string, number>();
  for (const document of documents) {
    for (const word of allWordsOf(document)) frequencies.set(word, (frequencies.get(word) ?? 0) + 1);
  }
  return {
    documents: documents.length,
    frequency: (word) => frequencies.get(word) ?? 0,
    vocabulary: [...frequencies.keys()],
  };
}

/** How much a word tells documents apart: 0 and up, the rarer the more. */
export function rarity(word: string, { documents, frequency }: Statistics): number {
  const among = frequency(word);
  return Math.log(1 + (documents - among + 0.5) / (among + 0.5));
}
