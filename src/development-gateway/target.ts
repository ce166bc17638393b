import type { OutboundSession } from '../platform/network/outbound.js';

/** Where a call goes, and with what. */
export interface Target {
  readonly url: URL;
  readonly session: OutboundSession;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
}
