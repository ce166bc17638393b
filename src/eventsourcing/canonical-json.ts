import { hash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';
import { Invalid } from './errors.js';

// Members by UTF-16 code units, numbers and texts as ECMAScript writes them: that is RFC 8785. A third of the time of
// the reference implementation, which the tests hold it against.
const serialize = configure({ deterministic: true, bigint: false, circularValue: Error, strict: true });

/** A `\u0000` or an unpaired surrogate as JSON text spells it, not one whose backslash is itself escaped. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * The RFC 8785 text of a JSON value. Throws Invalid `invalid_text` for a NUL, which no text column can hold, and for
 * an unpaired surrogate, which RFC 8785 forbids.
 */
export function canonicalJson(value: object): string {
  const text = serialize(value);
  // The quick look first: these escapes are rare.
  if (text.includes('\\u') && UNSTORABLE.test(text)) {
    throw new Invalid(
      'invalid_text',
      'The text holds a NUL character (U+0000) or half a surrogate pair, which cannot be stored. Take it out.',
    );
  }
  return text;
}

/** Bare lower-case hex SHA-256 of the UTF-8 bytes of a text. */
export function sha256Hex(text: string): string {
  return hash('sha256', text);
}
