import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from './problem.js';

const seconds = 60;

/** Counts requests by caller on this instance (draft-ietf-httpapi-ratelimit-headers). */
export class RateLimiter {
  private readonly limiter: RateLimiterMemory | undefined;
  private readonly policy: string;

  readonly isOff: boolean;

  /** @param limit requests a minute; without it there is none */
  constructor(limit: number | undefined) {
    this.limiter =
      limit === undefined ? undefined : new RateLimiterMemory({ points: limit, duration: seconds });
    this.isOff = limit === undefined;
    this.policy = `"caller";q=${String(limit)};w=${String(seconds)}`;
  }

  /** Takes one of the caller's requests and gives the headers that say what is left; Problem 429 where none is. */
  async take(caller: string): Promise<Readonly<Record<string, string>>> {
    if (this.limiter === undefined) return {};
    try {
      return this.headers(await this.limiter.consume(caller));
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      const wait = String(Math.ceil(error.msBeforeNext / 1000));
      throw new Problem(429, 'too_many_requests', `Too many requests. Try again in ${wait} s.`, {
        headers: { ...this.headers(error), 'retry-after': wait },
      });
    }
  }

  private headers({ remainingPoints, msBeforeNext }: RateLimiterRes): Readonly<Record<string, string>> {
    const reset = String(Math.ceil(msBeforeNext / 1000));
    return {
      'ratelimit-policy': this.policy,
      ratelimit: `"caller";r=${String(remainingPoints)};t=${reset}`,
    };
  }
}
