import type { OutboundLimits } from '../platform/network/outbound.js';

/** What a gateway may cost the service when it is asked for its tools. */
export interface LiveLimits extends OutboundLimits {
  readonly tools: number;
  readonly pages: number;
}

export const liveLimits: Omit<LiveLimits, 'timeMs'> = {
  bytes: 16 * 1024 * 1024,
  tools: 5_000,
  pages: 500,
};
