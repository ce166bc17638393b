import type { RecordedEvent, StreamId } from './event.js';
import { GENESIS_HASH, StreamMoved, type EventStore, type Head, type NewEvent } from './event-store.js';
import type { EventTypes } from './event-types.js';
import { placedAfter, recorded } from './new-event.js';
import type { Sql, Transaction } from './sql.js';
import { envelopeColumns, envelopeOf, readEvent, type StoredEvent } from './stored-event.js';
import { oneWrite } from './one-write.js';
import { textArray } from './text-array.js';

/** The log in PostgreSQL, seen through one transaction or the pool. The only code that writes the event table. */
export class PostgresEventStore implements EventStore {
  constructor(
    private readonly sql: Sql,
    private readonly types: EventTypes,
    /** How a stored event becomes one that is given: `showEvent` for those who only look. */
    private readonly reading: typeof readEvent = readEvent,
  ) {}

  async append(hostId: string, events: readonly NewEvent[]): Promise<readonly RecordedEvent[]> {
    const [row] = await this.call(hostId, events);
    if (row === undefined) throw new Error('append_events() gave no row.');
    return events.map((event, index) =>
      recorded(event, { position: row.first_position + index, time: row.at, hash: row.hashes[index] ?? '' }),
    );
  }

  /**
   * Sends the append to where the log is taken to end, `end.time` being that of the events, and waits for nothing: the
   * transaction fails where the log ends elsewhere.
   */
  appendAfter(tx: Transaction, end: Head, events: readonly NewEvent[]): readonly RecordedEvent[] {
    const hostId = events[0]?.host ?? '';
    tx.send('SELECT expect_end($1, $2)', [hostId, end.position], 'expect_end');
    tx.send(APPEND, this.appended(hostId, events, end.time), 'append_events');
    return placedAfter(end, events);
  }

  /** Takes the host's lock until the end of the transaction: where the log ends, and the time of what comes next. */
  async lock(hostId: string): Promise<Head> {
    const [row] = await this.sql.query<{ position: number; hash: string; at: string }>(
      'SELECT * FROM lock_head($1)',
      [hostId],
      'lock_head',
    );
    if (row === undefined) throw new Error('lock_head() gave no row.');
    return { position: row.position, hash: row.hash, time: row.at };
  }

  async readStreams(streams: readonly StreamId[]): Promise<readonly RecordedEvent[]> {
    return this.read('read_streams', 'SELECT * FROM read_streams($1, $2, $3)', [
      streams.map(({ hostId }) => hostId),
      streams.map(({ aggregateType }) => aggregateType),
      streams.map(({ aggregateId }) => aggregateId),
    ]);
  }

  /** Takes the host's lock until the end of the transaction, then reads streams of that host, in one call. */
  async lockAndReadStreams(hostId: string, streams: readonly StreamId[]): Promise<readonly RecordedEvent[]> {
    return this.read('lock_and_read', 'SELECT * FROM lock_and_read($1, $2, $3)', [
      hostId,
      streams.map(({ aggregateType }) => aggregateType),
      streams.map(({ aggregateId }) => aggregateId),
    ]);
  }

  async readLog(hostId: string, after: number, limit: number): Promise<readonly RecordedEvent[]> {
    const rows = await readStored(this.sql, hostId, after, { events: limit, bytes: Number.MAX_SAFE_INTEGER });
    return rows.map((row) => this.reading(this.types, row));
  }

  /** As {@link readLog}, with the data of these types alone; that of the others is `{}`, or null where it was erased. */
  async readLogSparingly(
    hostId: string,
    after: number,
    limit: number,
    types: readonly string[],
  ): Promise<readonly RecordedEvent[]> {
    const rows = await this.sql.query<StoredEvent>(
      `SELECT ${envelopeColumns.join(', ')},
              CASE WHEN data IS NULL OR event_type = ANY ($4) THEN data ELSE '{}' END AS data
         FROM event_store_t WHERE host_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      [hostId, after, limit, types],
      'read_log_sparingly',
    );
    return rows.map((row) =>
      row.data === null || types.includes(row.event_type)
        ? this.reading(this.types, row)
        : { ...envelopeOf(row), data: {}, position: row.position, time: row.time, hash: row.hash },
    );
  }

  async head(hostId: string): Promise<Head> {
    const [row] = await this.sql.query<{ position: number; time: string | null; hash: string }>(
      'SELECT position, time, hash FROM host_head_t WHERE host_id = $1',
      [hostId],
      'read_head',
    );
    return { position: row?.position ?? 0, time: row?.time ?? '', hash: row?.hash ?? GENESIS_HASH };
  }

  private async read(
    name: string,
    text: string,
    parameters: readonly unknown[],
  ): Promise<readonly RecordedEvent[]> {
    const rows = await this.sql.query<StoredEvent>(text, parameters, name);
    return rows.map((row) => this.reading(this.types, row));
  }

  private async call(hostId: string, events: readonly NewEvent[]) {
    try {
      const parameters = this.appended(hostId, events);
      return await this.sql.query<Appended>(APPEND, parameters, 'append_events');
    } catch (error) {
      throw hasMoved(error) ? new StreamMoved(hostId) : error;
    }
  }

  /** The parameters of {@link APPEND}. */
  private appended(hostId: string, events: readonly NewEvent[], time?: string): unknown[] {
    const each = <T>(member: (event: NewEvent) => T): T[] => events.map(member);
    const { user, clientid, source, correlationid } = oneWrite(hostId, events);
    return [
      hostId,
      user,
      clientid ?? null,
      source,
      correlationid,
      each(({ id }) => id),
      each(({ type }) => type),
      each(({ type }) => this.types.get(type).version),
      each(({ aggregatetype }) => aggregatetype),
      each(({ aggregateid }) => aggregateid),
      each(({ aggregateversion }) => aggregateversion),
      each(({ causationid }) => causationid ?? null),
      textArray(each(({ text }) => text)),
      each(({ datadigest }) => datadigest),
      each(({ digest }) => digest),
      time ?? null,
    ];
  }
}

interface Appended {
  readonly first_position: number;
  readonly at: string;
  readonly hashes: readonly string[];
}

const APPEND =
  'SELECT * FROM append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)';

/** The next events of a host's log as they are stored: so many at most, and no more once their data has so many bytes. */
export function readStored(
  sql: Sql,
  hostId: string,
  after: number,
  most: { readonly events: number; readonly bytes: number },
): Promise<StoredEvent[]> {
  const parameters = [hostId, after, most.events, most.bytes];
  return sql.query<StoredEvent>('SELECT * FROM read_log($1, $2, $3, $4)', parameters, 'read_log');
}

/** Whether a write was outrun: also where append_events() or the unique rule over a stream's versions found it out. */
export function hasMoved(error: unknown): boolean {
  if (error instanceof StreamMoved) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ES409' || ('constraint' in error && error.constraint === 'event_store_stream_uk');
}
