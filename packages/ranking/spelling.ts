/** Most words that one misspelt word may stand for. */
const most = 3;

/** What a word that no document holds may have meant, most alike first: one slip of the pen, two in a long word. */
export function likelySpellings(
  written: string,
  vocabulary: Iterable<string>,
): readonly { readonly word: string; readonly likeness: number }[] {
  const slips = slipsAllowed(written);
  if (slips === 0) return [];
  const found: { word: string; likeness: number }[] = [];
  for (const word of vocabulary) {
    if (Math.abs(word.length - written.length) > slips || slipsAllowed(word) === 0) continue;
    const distance = slipsBetween(written, word, slips);
    if (distance <= slips) found.push({ word, likeness: 0.8 - 0.3 * (distance - 1) });
  }
  const order = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
  return found.sort((a, b) => b.likeness - a.likeness || order(a.word, b.word)).slice(0, most);
}

export function mayBeMisspelt(word: string): boolean {
  return slipsAllowed(word) > 0;
}

/** Short words are too near to each other, and numbers mean what they say. */
function slipsAllowed(word: string): number {
  if (word.length < 5 || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/**
 * Letters missing, too many, wrong, or swapped with their neighbour (optimal string alignment); more than `limit` is
 * `limit + 1`.
 */
export function slipsBetween(a: string, b: string, limit: number): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(
        Math.min(
          at(above, column) + 1,
          at(current, column - 1) + 1,
          at(above, column - 1) + (same ? 0 : 1),
          swapped ? at(before, column - 2) + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...current) > limit) return limit + 1;
    [before, above] = [above, current];
  }
  return Math.min(at(above, b.length), limit + 1);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
