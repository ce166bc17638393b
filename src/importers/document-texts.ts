import type { Json, JsonObject } from './imported.js';
import { below, isObject } from './json-reading.js';
import { looksLikeCredential } from '../platform/validation/secrets.js';

export type Holder = JsonObject | Json[];

/** A text of a document: the value of a member or an item, or the name of a member. */
export interface DocumentText {
  readonly holder: Holder;
  readonly key: string;
  readonly isName: boolean;
  readonly text: string;
  /** Where it starts in all texts joined. */
  readonly start: number;
}

export interface DocumentTexts {
  readonly all: readonly DocumentText[];
  readonly joined: string;
  /** Values that stand for something called a password, key or token, and look like a real one. */
  readonly credentials: readonly DocumentText[];
}

/** Shorter texts hold no secret that a rule could know. */
const SHORTEST = 8;

/** Stands between the texts; none contains it (NUL is replaced before). */
const SEPARATOR = '\n\0\n';

/** Members that hold a value of what is named further up. */
const VALUE_HOLDERS = new Set([
  'default',
  'example',
  'examples',
  'value',
  'const',
  'enum',
  'schema',
  'items',
]);

/** All texts of a document, joined so that they can be searched as one. What YAML aliases repeat is there once. */
export function collectTexts(document: Json): DocumentTexts {
  const all: DocumentText[] = [];
  const credentials: DocumentText[] = [];
  let start = 0;
  const add = (holder: Holder, key: string, isName: boolean, text: string): DocumentText | undefined => {
    if (text.length < SHORTEST) return undefined;
    const found = { holder, key, isName, text, start };
    all.push(found);
    start += text.length + SEPARATOR.length;
    return found;
  };
  const seen = new Set<Holder>();
  const walk = (holder: Holder, above: string) => {
    if (seen.has(holder)) return;
    seen.add(holder);
    const isList = Array.isArray(holder);
    const own = parameterName(holder) ?? above;
    for (const [key, value] of Object.entries(holder)) {
      const name = isList || VALUE_HOLDERS.has(key) ? own : key;
      if (!isList) add(holder, key, true, key);
      if (typeof value === 'object' && value !== null) walk(value, name);
      if (typeof value !== 'string') continue;
      const text = add(holder, key, false, value);
      if (text && looksLikeCredential(name, value)) credentials.push(text);
    }
  };
  if (typeof document === 'object' && document !== null) walk(document, '');
  return { all, joined: all.map(({ text }) => text).join(SEPARATOR), credentials };
}

/**
 * Some texts of a document with their RFC 6901 pointers, in the document's order; of the name of a member the pointer of
 * what holds it, since the name may not be fit to be shown.
 */
export function placesOf<Text extends DocumentText>(
  document: Json,
  texts: readonly Text[],
): readonly (readonly [Text, string])[] {
  const byHolder = new Map<Holder, Text[]>();
  for (const text of texts) {
    const others = byHolder.get(text.holder);
    if (others) others.push(text);
    else byHolder.set(text.holder, [text]);
  }
  const places: (readonly [Text, string])[] = [];
  const path: string[] = [];
  const walk = (value: Json) => {
    if (typeof value !== 'object' || value === null) return;
    for (const text of byHolder.get(value) ?? []) {
      places.push([text, below('', ...path, ...(text.isName ? [] : [text.key]))]);
    }
    for (const [key, inner] of Object.entries(value)) {
      path.push(key);
      walk(inner);
      path.pop();
    }
  };
  if (byHolder.size > 0) walk(document);
  return places;
}

/** OpenAPI names a parameter by a member, not by its place. */
function parameterName(holder: Holder): string | undefined {
  if (!isObject(holder) || typeof holder['in'] !== 'string') return undefined;
  return typeof holder['name'] === 'string' ? holder['name'] : undefined;
}
