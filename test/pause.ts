import { setTimeout as delay } from 'node:timers/promises';

/** For what tests ask, and what asks what they test: how slow it is. A test itself waits `until` something is so. */
export function pause(milliseconds: number): Promise<void> {
  return delay(milliseconds, undefined, { ref: false });
}
