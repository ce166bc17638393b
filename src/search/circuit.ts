import { ProviderFault, TextFault } from './provider-fault.js';

/** Failures in a row after which it opens. */
const bearable = 5;
/** Milliseconds until one call may try again. */
const pause = 30_000;

/** Keeps calls away from what keeps failing: they fail at once, until a call that is let through succeeds. */
export class Circuit {
  private failures = 0;
  private closedAgainAt = 0;

  constructor(private readonly clock: () => number) {}

  /** Throws ProviderFault while it is open, and what the call throws. */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.failures >= bearable) {
      if (this.clock() < this.closedAgainAt) {
        throw new ProviderFault('The embedding provider keeps failing: it is left alone for a while.', true);
      }
      // The others wait for what becomes of this one.
      this.closedAgainAt = this.clock() + pause;
    }
    try {
      const value = await call();
      this.failures = 0;
      return value;
    } catch (error) {
      // Whoever refuses a text is there, and takes the next.
      this.failures = error instanceof TextFault ? 0 : this.failures + 1;
      if (this.failures >= bearable) this.closedAgainAt = this.clock() + pause;
      throw error;
    }
  }
}
