import type { Json } from './json.js';
import { typesMeant } from './keywords.js';
import { judgePattern } from './judge-pattern.js';
import { mendPattern } from './patterns.js';

/** What became of a keyword's value: what to keep of it, if anything, and what to tell its author. */
export interface Mended {
  readonly value?: Json;
  readonly fault?: { readonly code: 'schema_mended' | 'pattern_dropped'; readonly detail: string };
}

function mended(detail: string, value?: Json): Mended {
  return { ...(value === undefined ? {} : { value }), fault: { code: 'schema_mended', detail } };
}

export function readType(value: Json): Mended {
  const { types, mended: wasMended } = typesMeant(value);
  const read = types.length > 1 ? [...types] : types[0];
  if (wasMended) return mended('This type is none of JSON Schema; the one meant was taken, or any.', read);
  return read === undefined ? {} : { value: read };
}

/** @param type of the same schema: where it is text alone, numbers are texts that YAML took for numbers */
export function readEnum(value: Json, type: Json | undefined): Mended {
  if (!Array.isArray(value) || value.length === 0)
    return mended('This is no list of values; it was left out.');
  const { types } = typesMeant(type ?? null);
  const isText = types.includes('string') && types.every((name) => name === 'string' || name === 'null');
  const values = isText ? value.map(asText) : value;
  const distinct = [...new Map(values.map((item) => [JSON.stringify(item), item])).values()];
  return values.every((item, index) => item === value[index])
    ? { value: distinct }
    : mended('Values that are no texts were read as texts, since the type is string. Quote them.', distinct);
}

function asText(value: Json): Json {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

export function readRequired(value: Json, hidden: ReadonlySet<string>): Mended {
  // `required: true` beside a property's type is a habit of old drafts: it says nothing here.
  if (typeof value === 'boolean') return {};
  if (!Array.isArray(value)) return mended('This is no list of names; it was left out.');
  const names = new Set(value.map(asText).filter((name) => typeof name === 'string' && !hidden.has(name)));
  return names.size > 0 ? { value: [...names] } : {};
}

export function readPattern(value: Json): Mended {
  const verdict = typeof value === 'string' ? judgePattern(value) : 'invalid';
  if (verdict === 'fine') return { value };
  const usable = verdict === 'invalid' && typeof value === 'string' ? mendPattern(value) : undefined;
  return usable === undefined ? { fault: patternFault } : { value: usable };
}

export const patternFault = {
  code: 'pattern_dropped',
  detail: 'This regular expression is invalid (ECMA-262, Unicode) or could run for ever; it was left out.',
} as const;
