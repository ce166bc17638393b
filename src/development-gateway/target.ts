import type { OutboundSession } from '../platform/network/outbound.js';

/** Where a call goes, and with what. */
export interface Target {
  readonly url: URL;
  readonly session: Pick<OutboundSession, 'fetch'>;
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
}
