import { UnreadableDocument } from './imported.js';

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
const LINE_END = 0x0a;

/**
 * Refuses, before memory is taken for it, a text that must hold far more values than are allowed. Separators stand in
 * sentences too, so twice as many are let pass; what passes is counted value by value.
 *
 * @throws UnreadableDocument `document_too_large`
 */
export function checkSeparators(text: string, maxNodes: number, byLine = false): void {
  if (text.length <= 2 * maxNodes) return;
  let separators = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === COMMA || code === BRACKET || code === BRACE || (byLine && code === LINE_END)) separators++;
  }
  if (separators > 2 * maxNodes) throw tooMany(maxNodes);
}

export function tooMany(maxNodes: number): UnreadableDocument {
  return new UnreadableDocument(
    'document_too_large',
    `The document has more than ${String(maxNodes)} values. Split it into several.`,
  );
}
