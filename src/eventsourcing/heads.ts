import type { Sql } from './sql.js';
import type { Observable } from 'rxjs';
import type { RecordedEvent } from './event.js';

/** A host's log has grown. */
export interface HeadChange {
  readonly hostId: string;
  readonly position: number;
}

/** A write of this instance, committed: `position` is that of its last event. */
export interface OwnWrite extends HeadChange {
  /** At least one; they follow on each other in the log. To be looked at, not to be kept. */
  readonly events: readonly RecordedEvent[];
}

/** What this instance knows of the ends of the hosts' logs, its own writes and those of other instances. */
export abstract class Heads {
  /**
   * Position that was the end of the host's log at some moment of the last 90 ms; `undefined` where that is not
   * known: ask the database. Asking keeps the host watched for a while.
   */
  abstract freshPosition(hostId: string): number | undefined;
  /** Position that was the end of the host's log at some moment of the last 90 ms; asks the database if it must. */
  abstract position(hostId: string): Promise<number>;
  /** Every growth that this instance learns of. Only watched hosts are learnt of: see {@link changesOf}. */
  abstract readonly changes: Observable<HeadChange>;
  /** This instance's own writes, each before its {@link changes} and its reply; not always in the order of the log. */
  abstract readonly written: Observable<OwnWrite>;
  /** Growth of one host's log, which is watched as long as somebody is subscribed. Starts with nothing. */
  abstract changesOf(hostId: string): Observable<number>;
}

/** Position of the last event of the host's log, as the reader's transaction sees it; 0 where there is none. */
export async function headPosition(sql: Sql, hostId: string): Promise<number> {
  const [head] = await sql.query<{ readonly position: number }>(
    'SELECT position FROM host_head_t WHERE host_id = $1',
    [hostId],
  );
  return head?.position ?? 0;
}
