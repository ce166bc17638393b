import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { Invalid } from './errors.js';

// The package is CommonJS; its types say otherwise.
const serialize = canonicalize as unknown as (value: unknown) => string | undefined;

/** A `\u0000` or an unpaired surrogate as JSON text spells it, not one whose backslash is itself escaped. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * The RFC 8785 text of a JSON value. Throws Invalid `invalid_text` for a NUL, which no text column can hold, and for
 * an unpaired surrogate, which RFC 8785 forbids.
 */
export function canonicalJson(value: object): string {
  const text = serialize(value);
  if (text === undefined) throw new TypeError('There is no JSON for this value.');
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
  return createHash('sha256').update(text).digest('hex');
}
