import { slipsBetween } from '../../packages/ranking/spelling.js';

/** The one of the names that a word with a slip or two stands for; undefined where none is near. */
export function likelyMeant(word: string, names: readonly string[]): string | undefined {
  const slips = word.length < 4 ? 1 : 2;
  const near = names
    .map((name) => ({ name, distance: slipsBetween(word, name, slips) }))
    .filter(({ distance }) => distance > 0 && distance <= slips)
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.name;
}
