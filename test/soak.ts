/**
 * What `npm test` and `npm run soak` do differently. Both run the same laws: the first with a fixed seed and few runs, so that it
 * says the same of a commit each time; the second with many runs and a seed of its own, which it prints.
 */
export const isSoak = process.env['SOAK'] === 'on';

/** Of every law and every draw: fixed in `npm test`; fresh in `npm run soak`, or the one that `SOAK_SEED` repeats. */
export const seed = Number(process.env['SOAK_SEED'] ?? 1);

/** The most runs of a law in `npm test`. */
const FEW = 50;

/**
 * How often `fc.assert` tries a law: `runs` times in a soak, else at most `few` times.
 *
 * @param draw of several that try the same law, each by a seed of its own
 */
export function many(runs: number, few = FEW, draw = 0): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: isSoak ? runs : Math.min(runs, few), seed: seed + draw };
}
