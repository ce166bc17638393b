import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { OutboundRules } from './outbound-rules.js';
import { OutboundSession, type OutboundLimits } from './outbound-session.js';

/** The one way out: whatever the service connects to, other than its database and its token issuer, goes through here. */
@Injectable()
export class Outbound {
  private readonly rules: OutboundRules;

  constructor(@Inject(CONFIG) { outboundAllow }: Pick<Config, 'outboundAllow'>) {
    this.rules = new OutboundRules(outboundAllow);
  }

  /** Lets `work` send requests to the origin of `url`, and ends them all when it is done. */
  async with<T>(
    url: URL,
    limits: OutboundLimits,
    work: (session: OutboundSession) => Promise<T>,
  ): Promise<T> {
    const session = new OutboundSession(url, this.rules, limits);
    try {
      return await work(session);
    } finally {
      await session.close();
    }
  }
}
