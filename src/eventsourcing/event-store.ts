import { envelopeOf, GENESIS_HASH, placedAfter, readEvent } from './envelope.js';
import type { Head, NewEvent, StoredEvent } from './envelope.js';
import type { RecordedEvent, StreamId } from './event.js';
import type { EventTypes } from './event-types.js';
import { Pace } from './pace.js';
import type { Sql, Transaction } from './sql.js';
import { textArray } from './text-array.js';

/** Most events, and most characters of their data, that go to the database in one call. */
const SLICE = { events: 64, characters: 250_000 } as const;

/** The append-only log, read through one transaction or the pool. */
export class EventStore {
  constructor(
    private readonly sql: Sql,
    private readonly types: EventTypes,
    /** How a stored event becomes one that is given: `showEvent` for those who only look. */
    private readonly reading: typeof readEvent = readEvent,
  ) {}

  /** Events of the streams, each stream in order of version, upcast; streams without events are left out. */
  async readStreams(streams: readonly StreamId[]): Promise<readonly RecordedEvent[]> {
    const rows = await this.sql.query<StoredEvent>(
      'SELECT * FROM read_streams($1, $2, $3)',
      [
        streams.map(({ hostId }) => hostId),
        streams.map(({ aggregateType }) => aggregateType),
        streams.map(({ aggregateId }) => aggregateId),
      ],
      'read_streams',
    );
    return rows.map((row) => this.reading(this.types, row));
  }

  /** At most `limit` events of one host behind position `after`, in order of position, upcast. */
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
      `SELECT host_id, position, id, event_type, schema_version, aggregate_type, aggregate_id, aggregate_version,
              user_id, client_id, source, correlation_id, causation_id, time, data_digest, hash,
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
}

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

/**
 * Takes the host's lock until the end of the transaction: where its log ends, and the time of what is appended next.
 * What the transaction asks after that sees the host as it is under the lock, also where it is asked at once.
 */
export async function lockHead(tx: Sql, hostId: string): Promise<Head> {
  const [row] = await tx.query<{ position: number; hash: string; at: string }>(
    'SELECT * FROM lock_head($1)',
    [hostId],
    'lock_head',
  );
  if (row === undefined) throw new Error('lock_head() gave no row.');
  return { position: row.position, hash: row.hash, time: row.at };
}

/**
 * Sends the events of one write to the end of the log, which {@link lockHead} gave. The transaction fails, and so all of it,
 * where a version of a stream is taken already: see {@link isStreamMoved}.
 */
export async function append(
  tx: Transaction,
  types: EventTypes,
  head: Head,
  events: readonly NewEvent[],
): Promise<readonly RecordedEvent[]> {
  const appended: RecordedEvent[] = [];
  const pace = new Pace();
  for (const slice of slicesOf(events)) {
    const placed = placedAfter(appended.at(-1) ?? head, slice);
    tx.send(APPEND, parametersOf(types, slice, placed), 'append');
    appended.push(...placed);
    await pace.step();
  }
  return appended;
}

const APPEND = `
WITH head AS (UPDATE host_head_t SET position = $2, hash = $3, time = $4 WHERE host_id = $1)
INSERT INTO event_store_t (host_id, time, user_id, client_id, source, correlation_id,
  position, id, event_type, schema_version, aggregate_type, aggregate_id, aggregate_version,
  causation_id, data, data_digest, hash)
SELECT $1, $4, $5, $6, $7, $8, e.*
  FROM unnest($9::bigint[], $10::uuid[], $11::text[], $12::int[], $13::text[], $14::text[], $15::bigint[],
    $16::uuid[], $17::text[], $18::text[], $19::text[]) AS e`;

function parametersOf(
  types: EventTypes,
  events: readonly NewEvent[],
  placed: readonly RecordedEvent[],
): unknown[] {
  const last = placed.at(-1);
  if (last === undefined) throw new Error('An append has at least one event.');
  const { host, time, user, clientid, source, correlationid } = last;
  const each = <T>(member: (event: RecordedEvent) => T): T[] => placed.map(member);
  return [
    host,
    last.position,
    last.hash,
    time,
    user,
    clientid ?? null,
    source,
    correlationid,
    each(({ position }) => position),
    each(({ id }) => id),
    each(({ type }) => type),
    each(({ type }) => types.get(type).version),
    each(({ aggregatetype }) => aggregatetype),
    each(({ aggregateid }) => aggregateid),
    each(({ aggregateversion }) => aggregateversion),
    each(({ causationid }) => causationid ?? null),
    textArray(events.map(({ text }) => text)),
    each(({ datadigest }) => datadigest),
    each(({ hash }) => hash),
  ];
}

function slicesOf(events: readonly NewEvent[]): NewEvent[][] {
  const slices: NewEvent[][] = [];
  let slice: NewEvent[] = [];
  let characters = 0;
  for (const event of events) {
    const full = slice.length === SLICE.events || characters + event.text.length > SLICE.characters;
    if (full && slice.length > 0) {
      slices.push(slice);
      slice = [];
      characters = 0;
    }
    slice.push(event);
    characters += event.text.length;
  }
  if (slice.length > 0) slices.push(slice);
  return slices;
}

/** Whether a transaction failed because a version of a stream was taken already. */
export function isStreamMoved(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'event_store_stream_uk';
}
