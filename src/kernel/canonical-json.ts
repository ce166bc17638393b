import { hash } from 'node:crypto';
import { Invalid } from './errors.js';

/** A `\u0000` or an unpaired surrogate as JSON text spells it, not one whose backslash is itself escaped. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * The RFC 8785 text of a JSON value. Throws Invalid `invalid_text` for a NUL, which no text column can hold, and for
 * an unpaired surrogate, which RFC 8785 forbids.
 */
export function canonicalJson(value: object): string {
  const text = written(value) ?? '';
  // Checked by a quick search first, since these escapes are rare.
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    throw new Invalid(
      'invalid_text',
      'The text holds a NUL character (U+0000) or half a surrogate pair, which cannot be stored. Take it out.',
    );
  }
  return text;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Members by UTF-16 code units, numbers and texts as ECMAScript writes them: that is RFC 8785. */
function written(value: unknown): string | undefined {
  if (isObject(value)) return writtenHolder(value);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError(`${String(value)} is no number of JSON.`);
  }
  return JSON.stringify(value);
}

function writtenHolder(value: object): string | undefined {
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === 'function') return written((toJSON as () => unknown).call(value));
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${written(item) ?? 'null'}`;
    return `[${text}]`;
  }
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of sorted(Object.keys(members))) {
    const part = written(members[name]);
    if (part !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${part}`;
  }
  return `{${text}}`;
}

/** Up to so many names are sorted by insertion, since `sort` has a cost to start. */
const FEW_NAMES = 32;

/** Sorts by UTF-16 code units, in place. */
function sorted(names: string[]): string[] {
  if (names.length > FEW_NAMES) return names.sort();
  for (const [place, name] of names.entries()) {
    let before = place;
    for (let other = names[before - 1]; other !== undefined && other > name; other = names[before - 1]) {
      names[before] = other;
      before -= 1;
    }
    names[before] = name;
  }
  return names;
}

const MAX_QUOTED = 10_000;
const MAX_QUOTED_LENGTH = 64;
/** Names as JSON writes them: the same few hundred come again and again. */
const quotedNames = new Map<string, string>();

function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quotedNames.size < MAX_QUOTED && name.length <= MAX_QUOTED_LENGTH) quotedNames.set(name, text);
  return text;
}

/** Bare lower-case hex SHA-256 of the UTF-8 bytes of a text. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}
