import { Inject, Injectable } from '@nestjs/common';
import type { Caller } from '../platform/auth/caller.js';
import { CONFIG, type Config } from '../platform/config/config.js';
import { RateLimiter } from '../platform/http/rate-limiter.js';
import { queryLimits } from './query-limits.js';

/** How often one caller may query: with all their tokens, and with one. `RATE_LIMIT=off` frees these as well. */
@Injectable()
export class QueryRates {
  private readonly bySubject: RateLimiter;
  private readonly byToken: RateLimiter;

  constructor(@Inject(CONFIG) { rateLimit }: Config) {
    const limited = (most: number): RateLimiter =>
      new RateLimiter(rateLimit === undefined ? undefined : Math.min(most, rateLimit));
    this.bySubject = limited(queryLimits.perSubject);
    this.byToken = limited(queryLimits.perToken);
  }

  /** Throws Problem 429. */
  async take({ issuer, hostId, actor, fingerprint, expiresAt }: Caller): Promise<void> {
    await this.bySubject.take(JSON.stringify([issuer, hostId, actor.user, actor.clientId ?? null]));
    await this.byToken.take(`${fingerprint} ${expiresAt}`);
  }
}
