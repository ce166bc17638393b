/** Longest wait between two attempts, seconds. */
const longest = 3600;

/**
 * Seconds until the next attempt: twice as many each time up to an hour, a quarter more or less, so that what failed
 * together is not tried again together.
 *
 * @param chance from 0 to 1
 */
export function pauseAfter(attempts: number, chance: number): number {
  return Math.min(longest, 2 ** attempts) * (0.75 + 0.5 * chance);
}
