/** A searchable as it is kept: its words, what it is filtered by, what weighs. Pure. */
import { analyse, type Words } from '../../packages/ranking/document.js';
import type { Searchable } from '../../packages/ranking/searchable.js';

export const kinds = ['tool', 'skill', 'endpoint'] as const;
export type Kind = (typeof kinds)[number];

/** What is offered beside a find. */
export interface Relations {
  /** Endpoint keys, with what the tool's metadata says of them. */
  readonly dependencies: readonly { readonly endpoint: string; readonly relation?: string | undefined }[];
  /** Endpoint key. */
  readonly fallback?: string | undefined;
  /** Ids of skills. */
  readonly skills: readonly string[];
}

/** A row of `search_document_t` less its host; null where the kind knows no such thing. */
export interface SearchDocument {
  readonly kind: Kind;
  readonly entity_id: string;
  readonly name: string;
  readonly description: string;
  readonly service_id: string | null;
  readonly env_tag: string | null;
  readonly sensitivity_tier: string | null;
  readonly domain: string | null;
  readonly semantic_namespace: string | null;
  readonly source_protocol: string | null;
  readonly implementation_type: string | null;
  readonly lifecycle_status: string | null;
  readonly api_id: string | null;
  readonly api_version_id: string | null;
  readonly target_personas: readonly string[];
  readonly tags: readonly string[];
  readonly categories: readonly string[];
  readonly required_context: readonly string[];
  readonly semantic_weight: number;
  readonly read_only: boolean;
  readonly destructive: boolean;
  readonly endpoint: string | null;
  readonly related: Relations;
  readonly words: Words;
  readonly terms: readonly string[];
  readonly length: number;
}

/** A document just made, with the texts that its words were taken from. */
export type MadeDocument = SearchDocument & { readonly searchable: Searchable };

/** A word as it stands among those of its host. */
export function termOf(hostId: string, word: string): string {
  return `${hostId.slice(-8)} ${word}`;
}

/** A word of the name, as it is kept beside the same word standing anywhere. No word has such a sign. */
export function inName(word: string): string {
  return `^${word}`;
}

/** Different words by which one record is found, the first ones of its name, its examples and its other texts: far more than a text has that somebody wrote. */
export const MOST_WORDS = 2_000;

/** The columns made of words, and what they were made of. */
export function wordColumns(hostId: string, searchable: Searchable) {
  const words = firstWords(analyse(searchable));
  const lists = [...Object.values(words.fields), ...words.examples];
  const distinct = [...new Set([...lists.flat(), ...(words.fields.name ?? []).map(inName)])];
  return {
    searchable,
    words,
    terms: distinct.map((word) => termOf(hostId, word)),
    length: lists.flat().length,
  };
}

/** Without the words that come when there are enough; those that stand further on again are counted. */
function firstWords({ fields, examples }: Words): Words {
  const known = new Set<string>();
  const first = (words: readonly string[]) =>
    words.filter((word) => known.has(word) || (known.size < MOST_WORDS && known.add(word)));
  first(fields.name ?? []);
  const keptExamples = examples.map(first);
  const kept = Object.entries(fields).map(([field, words]) => [field, first(words)] as const);
  return { fields: Object.fromEntries(kept), examples: keptExamples };
}

/** The words of one kept document, each once. */
export function distinctWords({ fields, examples }: Words): string[] {
  return [...new Set([...Object.values(fields), ...examples].flat())];
}
