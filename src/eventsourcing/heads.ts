import type { Observable } from 'rxjs';

/** A host's log has grown. */
export interface HeadChange {
  readonly hostId: string;
  readonly position: number;
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
  /** Growth of one host's log, which is watched as long as somebody is subscribed. Starts with nothing. */
  abstract changesOf(hostId: string): Observable<number>;
}
