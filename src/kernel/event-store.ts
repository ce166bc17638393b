import { envelopeOf, GENESIS_HASH, placedAfter, readEvent } from './envelope.js';
import type { Head, NewEvent, StoredEvent } from './envelope.js';
import { type RecordedEvent, restatedBy, type StreamId } from './event.js';
import type { EventTypes } from './event-types.js';
import { Pace } from './pace.js';
import type { Sql, Transaction } from './sql.js';

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
    return this.readBy('read_streams', streams);
  }

  /** As {@link readStreams}, without events of which a later one of their stream says all anew: what a fold needs. */
  async readStates(streams: readonly StreamId[]): Promise<readonly RecordedEvent[]> {
    return this.readBy('read_states', streams);
  }

  private async readBy(
    reading: 'read_streams' | 'read_states',
    streams: readonly StreamId[],
  ): Promise<readonly RecordedEvent[]> {
    const rows = await this.sql.query<StoredEvent>(
      `SELECT * FROM ${reading}($1, $2, $3)`,
      [
        streams.map(({ hostId }) => hostId),
        streams.map(({ aggregateType }) => aggregateType),
        streams.map(({ aggregateId }) => aggregateId),
      ],
      reading,
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

/** Reads the next events of a host's log as stored: at most so many, and no more once their data has so many bytes. */
export function readStored(
  sql: Sql,
  hostId: string,
  after: number,
  limits: { readonly events: number; readonly bytes: number },
): Promise<StoredEvent[]> {
  const parameters = [hostId, after, limits.events, limits.bytes];
  return sql.query<StoredEvent>('SELECT * FROM read_log($1, $2, $3, $4)', parameters, 'read_log');
}

/**
 * Locks the host's head until the end of the transaction, and gives the end of the log and the time of the next append.
 * Statements sent after it, also in the same batch, see the host under the lock. Undefined before {@link beginLog}.
 */
export async function lockHead(tx: Sql, hostId: string): Promise<Head | undefined> {
  const [head] = await tx.query<Head>(LOCK, [hostId], 'lock_head');
  return head;
}

const LOCK = `
SELECT position, hash, to_char(greatest(date_trunc('milliseconds', clock_timestamp()), time) AT TIME ZONE 'UTC',
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS time
FROM host_head_t WHERE host_id = $1 FOR UPDATE`;

/** Begins the log of a host that has none yet, also where another transaction does the same, and takes its lock. */
export async function beginLog(tx: Sql, hostId: string): Promise<Head> {
  await tx.query('INSERT INTO host_head_t (host_id) VALUES ($1) ON CONFLICT DO NOTHING', [hostId]);
  const head = await lockHead(tx, hostId);
  if (head === undefined) throw new Error(`The log of host ${hostId} was begun, and is not there.`);
  return head;
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
    tx.send(...insertOf(types, slice, placed));
    keepParts(
      tx,
      placed.map((event) => ({ ...event, part: restatedBy(types.get(event.type), event.data) })),
    );
    appended.push(...placed);
    await pace.step();
  }
  const last = appended.at(-1);
  if (last !== undefined) {
    moveHead(tx, last.host, last);
  }
  return appended;
}

/** Sends where the log ends. */
export function moveHead(
  tx: Transaction,
  hostId: string,
  {
    position,
    hash,
    time,
  }: { readonly position: number; readonly hash: string; readonly time: string | null },
): void {
  tx.send(MOVE_HEAD, [hostId, position, hash, time], 'move_head');
}

const MOVE_HEAD = 'UPDATE host_head_t SET position = $2, hash = $3, time = $4 WHERE host_id = $1';

const COLUMNS = `host_id, time, user_id, client_id, source, correlation_id, position, id, event_type, schema_version,
  aggregate_type, aggregate_id, aggregate_version, causation_id, data, data_digest, hash`;
/** Columns of {@link COLUMNS} that all events of a write have in common. */
const SHARED = 6;
const OWN = COLUMNS.split(',').length - SHARED;

/** Makes the insert of so many events, prepared for the usual numbers. */
function insertOf(
  types: EventTypes,
  events: readonly NewEvent[],
  placed: readonly RecordedEvent[],
): Parameters<Transaction['send']> {
  const [first] = placed;
  if (first === undefined) throw new Error('An append has at least one event.');
  const { host, time, user, clientid, source, correlationid } = first;
  const parameters: unknown[] = [host, time, user, clientid ?? null, source, correlationid];
  placed.forEach((event, index) => {
    const { position, id, type, aggregatetype, aggregateid, aggregateversion, causationid } = event;
    parameters.push(
      position,
      id,
      type,
      types.get(type).version,
      aggregatetype,
      aggregateid,
      aggregateversion,
    );
    parameters.push(causationid ?? null, events[index]?.text, event.datadigest, event.hash);
  });
  const isUsual = placed.length <= 8 || placed.length === SLICE.events;
  const count = String(placed.length);
  return [insertText(placed.length), parameters, isUsual ? `append_${count}` : undefined];
}

function insertText(events: number): string {
  const numbers = (from: number, count: number): string =>
    Array.from({ length: count }, (_, index) => `$${String(from + index)}`).join(', ');
  const rows = Array.from(
    { length: events },
    (_, row) => `(${numbers(1, SHARED)}, ${numbers(1 + SHARED + row * OWN, OWN)})`,
  );
  return `INSERT INTO event_store_t (${COLUMNS}) VALUES ${rows.join(', ')}`;
}

const columnsOfStored = {
  ...{ host_id: 'uuid', position: 'bigint', id: 'uuid', event_type: 'text', schema_version: 'int' },
  ...{ aggregate_type: 'text', aggregate_id: 'text', aggregate_version: 'bigint', user_id: 'text' },
  ...{ client_id: 'text', source: 'text', correlation_id: 'text', causation_id: 'uuid' },
  ...{ time: 'timestamptz', data: 'text', data_digest: 'text', hash: 'text' },
} as const satisfies Record<keyof StoredEvent, string>;

/** Inserts events at the places that they have, as they are stored elsewhere. */
export async function insertStored(
  tx: Transaction,
  types: EventTypes,
  events: readonly StoredEvent[],
): Promise<void> {
  const columns = Object.entries(columnsOfStored) as [keyof StoredEvent, string][];
  const arrays = columns.map(([, type], index) => `$${String(index + 1)}::${type}[]`);
  await tx.query(
    `INSERT INTO event_store_t (${columns.map(([name]) => name).join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})`,
    columns.map(([name]) => events.map((event) => event[name])),
    'insert_stored',
  );
  keepParts(
    tx,
    events.map((event) => ({
      ...{ host: event.host_id, aggregatetype: event.aggregate_type, aggregateid: event.aggregate_id },
      ...{ aggregateversion: event.aggregate_version, part: partOf(types, event) },
    })),
  );
}

/** Null of an event that this program does not know. */
function partOf(
  types: EventTypes,
  { event_type: type, schema_version: version, data }: StoredEvent,
): string | null {
  if (data === null || !types.knows(type, version) || types.get(type).restates === undefined) return null;
  return restatedBy(types.get(type), JSON.parse(data) as object);
}

type Part = Pick<RecordedEvent, 'host' | 'aggregatetype' | 'aggregateid' | 'aggregateversion'> & {
  /** What the event says all of; null where it says a part. */
  readonly part: string | null;
};

function keepParts(tx: Transaction, events: readonly Part[]): void {
  const parts = events.filter(({ part }) => part !== null);
  if (parts.length === 0) return;
  tx.send(
    `INSERT INTO event_part_t (host_id, aggregate_type, aggregate_id, part, aggregate_version)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::bigint[])`,
    [
      parts.map(({ host }) => host),
      parts.map(({ aggregatetype }) => aggregatetype),
      parts.map(({ aggregateid }) => aggregateid),
      parts.map(({ part }) => part),
      parts.map(({ aggregateversion }) => aggregateversion),
    ],
    'keep_parts',
  );
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
