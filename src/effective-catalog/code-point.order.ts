/** Orders text by code point, as `COLLATE "C"` does: `<` would order by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
