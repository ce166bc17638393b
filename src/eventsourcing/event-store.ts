import type { DomainEvent, RecordedEvent, StreamId } from './event.js';

/** An event on its way into the log: all of its envelope but what the append itself gives (contract 3). */
export interface NewEvent<E extends DomainEvent = DomainEvent> extends Omit<
  RecordedEvent<E>,
  'position' | 'time' | 'hash'
> {
  /** RFC 8785 text of `data`. */
  readonly text: string;
  /** Hex SHA-256 of the RFC 8785 bytes of the envelope without data, position, time and hash. */
  readonly digest: string;
}

/** Where a host's log ends: position 0 and 64 zeros where it is empty. */
export interface Head {
  readonly position: number;
  /** RFC 3339 with milliseconds, UTC; empty where the log is. */
  readonly time: string;
  readonly hash: string;
}

/**
 * The append-only log. An implementation is bound to a place where it reads and writes (a transaction, the pool,
 * the memory of the process).
 */
export interface EventStore {
  /**
   * Appends the events of one write (at least one; of one host, caller and correlation), all or none, in order. Throws {@link StreamMoved} where a version is
   * taken already or does not follow the stream's last.
   */
  append(hostId: string, events: readonly NewEvent[]): Promise<readonly RecordedEvent[]>;
  /** Events of the streams, each stream in order of version, upcast; streams without events are left out. */
  readStreams(streams: readonly StreamId[]): Promise<readonly RecordedEvent[]>;
  /** At most `limit` events of one host behind position `after`, in order of position, upcast. */
  readLog(hostId: string, after: number, limit: number): Promise<readonly RecordedEvent[]>;
  head(hostId: string): Promise<Head>;
}

/** Another write was faster: a stream has moved since it was read. */
export class StreamMoved extends Error {
  constructor(readonly hostId: string) {
    super(`A stream of host ${hostId} has moved since it was read.`);
  }
}

/** The hash before a host's first event. */
export const GENESIS_HASH = '0'.repeat(64);
