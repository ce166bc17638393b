const firstMs = 1_000;
const lastMs = 60_000;

/** Ever longer pauses between attempts; half of each is chance, so that many agents do not come back at once. */
export class Backoff {
  private failures = 0;

  /** Milliseconds to wait after one more failure; at least what was told, up to a minute. */
  next(toldSeconds = 0): number {
    const doubled = Math.min(firstMs * 2 ** this.failures, lastMs);
    this.failures += 1;
    return Math.max(doubled * (0.5 + Math.random() / 2), Math.min(toldSeconds * 1000, lastMs));
  }

  get hasFailed(): boolean {
    return this.failures > 0;
  }

  reset(): void {
    this.failures = 0;
  }
}
