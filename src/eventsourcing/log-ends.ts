import type { RecordedEvent } from './event.js';
import type { Head } from './event-store.js';

/** Milliseconds for which a time that the database gave is moved on by this process' own clock. */
const TRUSTED = 10_000;
/** Most hosts that are remembered. */
const MOST = 1_000;

/** Where a write has left the log of its host. */
export interface LogEnd {
  readonly head: Head;
  /** What it appended. */
  readonly events: readonly RecordedEvent[];
  /** The moment (`performance.now()`) at which the time was the database's; undefined where that is not known. */
  readonly told: number | undefined;
}

interface Known {
  readonly head: Head;
  /** This instance wrote what stands before, too. */
  readonly isAlone: boolean;
  /** A time of the database's clock, and the moment at which it was. */
  readonly clock: { readonly time: number; readonly at: number } | undefined;
}

/**
 * Where this instance's own writes have left the logs of their hosts. While nobody else writes to a host, its next write
 * can foresee its place, and need not wait for the database to give it.
 */
export class LogEnds {
  private readonly known = new Map<string, Known>();

  /** Where the log should end, with the time of what comes next; undefined where that had better be asked. */
  foreseen(hostId: string): Head | undefined {
    const { head, isAlone = false, clock } = this.known.get(hostId) ?? {};
    if (head === undefined || clock === undefined || !isAlone) return undefined;
    const passed = Math.floor(performance.now() - clock.at);
    if (passed > TRUSTED) return undefined;
    const time = new Date(clock.time + passed).toISOString();
    return { ...head, time: time > head.time ? time : head.time };
  }

  learn(hostId: string, { head, events, told }: LogEnd): void {
    const before = this.known.get(hostId);
    this.known.delete(hostId);
    const clock = told === undefined ? before?.clock : { time: Date.parse(head.time), at: told };
    this.known.set(hostId, { head, isAlone: before?.head.position === head.position - events.length, clock });
    const [oldest = ''] = this.known.keys();
    if (this.known.size > MOST) this.known.delete(oldest);
  }

  forget(hostId: string): void {
    this.known.delete(hostId);
  }
}
