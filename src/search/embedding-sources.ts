/** Which texts of a searchable are embedded. Pure. */
import { createHash } from 'node:crypto';
import type { Field, Searchable } from '../../packages/ranking/searchable.js';

export type SourceField = 'text' | 'example';

export interface Source {
  readonly source_field: SourceField;
  /** Hex SHA-256 of the text. */
  readonly source_hash: string;
  readonly source_text: string;
}

/** Most characters of one text; models read less. */
const longest = 8_000;

/** The named fields as one text, and each example prompt as one of its own. */
export function sourcesOf({ texts, examples = [] }: Searchable, fields: readonly Field[]): Source[] {
  const text = fields.map((field) => texts[field] ?? '').filter((part) => part !== '');
  const sources = [source('text', text.join('\n')), ...examples.map((example) => source('example', example))];
  const kept = sources.filter(({ source_text: each }) => each.trim() !== '');
  return [...new Map(kept.map((each) => [each.source_field + each.source_hash, each])).values()];
}

function source(field: SourceField, text: string): Source {
  const cut = text.slice(0, longest).replace(/\p{Surrogate}/gu, '');
  return {
    source_field: field,
    source_hash: createHash('sha256').update(cut).digest('hex'),
    source_text: cut,
  };
}
