/** Seconds since the epoch, so many from now: what claims and signatures are about. No test looks at it to see how long something took. */
export function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

/** The present moment as the API takes it, for what is asked of the past. Nor does any test look at this one for that. */
export function presentMoment(): string {
  return new Date().toISOString();
}
