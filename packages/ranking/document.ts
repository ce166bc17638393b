import { fieldNames, fields, type Field, type Searchable } from './searchable.js';
import { indexWordsOf, wordsOf } from './words.js';

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
  /** `first second` of neighbouring words, but for long texts. */
  readonly pairs: ReadonlySet<string>;
  readonly examples: readonly ReadonlySet<string>[];
}

export function analyse({ texts, examples = [] }: Searchable): Words {
  const entries = fieldNames.map((field) => [field, indexWordsOf(texts[field] ?? '')] as const);
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
  return { id, counts, lengths, pairs, examples: words.examples.map((list) => new Set(list)) };
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
