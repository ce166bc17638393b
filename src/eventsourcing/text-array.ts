const TYPE_TEXT = 25;
const HEADER = 20;

/**
 * A `text[]` in the binary format of PostgreSQL (`array_send` of its source): long texts travel as they are, where the
 * literal of an array has each of their quotes escaped here and read again there.
 */
export function textArray(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + length, HEADER));
  // Dimensions, whether there are nulls, type of the elements; then length and lower bound of the one dimension.
  let at = [1, 0, TYPE_TEXT, texts.length, 1].reduce((offset, word) => bytes.writeInt32BE(word, offset), 0);
  texts.forEach((text, index) => {
    at = bytes.writeInt32BE(lengths[index] ?? 0, at);
    at += bytes.write(text, at);
  });
  return bytes;
}
