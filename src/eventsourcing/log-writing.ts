import type { Domain } from './domain.js';
import type { ReadVersion } from './decision.js';
import type { RecordedEvent } from './event.js';
import { StreamMoved, type Head, type NewEvent } from './event-store.js';
import { placedAfter } from './new-event.js';
import { Pace } from './pace.js';
import { PostgresEventStore } from './postgres-event-store.js';
import type { Sql, Transaction } from './sql.js';

/** Most events, and most characters of their data, that go to the database in one call. */
const SLICE = { events: 64, characters: 250_000 } as const;
/** Slices that may be on their way beside the one whose rows are being made. */
const SLICES_AHEAD = 1;

/** Large values are packed by the faster method, where the server has it. */
export const packFast = `SELECT set_config('default_toast_compression', 'lz4', true) FROM pg_settings
  WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`;

/** Where a write goes. */
export interface WritePlace {
  readonly tx: Transaction;
  readonly domain: Domain;
  /** Where the log is taken to end; else the database is asked. */
  readonly foreseen?: Head | undefined;
}

/** Appends the events, and brings the projections in step, in the transaction given. */
export async function appendAndProject(
  { tx, domain, foreseen }: WritePlace,
  hostId: string,
  events: readonly NewEvent[],
): Promise<readonly RecordedEvent[]> {
  if (events.length === 0) return [];
  const store = new PostgresEventStore(tx, domain.types);
  const slices = slicesOf(events);
  if (slices.length > 1) {
    tx.send(packFast);
    return appendAhead(store, hostId, slices, (placed) => project(tx, domain, placed));
  }
  const appended =
    foreseen === undefined ? await store.append(hostId, events) : store.appendAfter(tx, foreseen, events);
  await project(tx, domain, appended);
  return appended;
}

/** Appends the events of several writes of the host, each with a call of its own, and gives what each has recorded. */
export async function appendEach(
  { tx, domain, foreseen }: WritePlace,
  hostId: string,
  writes: readonly (readonly NewEvent[])[],
): Promise<readonly (readonly RecordedEvent[])[]> {
  const store = new PostgresEventStore(tx, domain.types);
  if (foreseen !== undefined) {
    let last = foreseen;
    return writes.map((events) => {
      if (events.length === 0) return [];
      const placed = store.appendAfter(tx, last, events);
      last = headOf(placed) ?? last;
      return placed;
    });
  }
  return Promise.all(
    writes.map((events) => (events.length === 0 ? Promise.resolve([]) : store.append(hostId, events))),
  );
}

/**
 * Others wait for the lock that is held meanwhile. So rows are made while the database appends: under the lock it is
 * known beforehand where each event will stand.
 */
async function appendAhead(
  store: PostgresEventStore,
  hostId: string,
  slices: readonly (readonly NewEvent[])[],
  sendRows: (events: readonly RecordedEvent[]) => Promise<void>,
): Promise<readonly RecordedEvent[]> {
  let end = await store.lock(hostId);
  const { time } = end;
  const placed: RecordedEvent[] = [];
  const underWay: Promise<unknown>[] = [];
  const pace = new Pace();
  try {
    for (const slice of slices) {
      const appending = store.append(hostId, slice, time);
      appending.catch(() => undefined);
      underWay.push(appending);
      const events = placedAfter(end, slice);
      end = headOf(events) ?? end;
      placed.push(...events);
      await sendRows(events);
      if (underWay.length > SLICES_AHEAD) await underWay.shift();
      await pace.step();
    }
    return placed;
  } finally {
    // Where one failed, what followed it failed of that alone.
    await Promise.all(underWay);
  }
}

/** Where the log ends with the last of these events. */
export function headOf(events: readonly RecordedEvent[]): Head | undefined {
  const last = events.at(-1);
  return last && { position: last.position, time: last.time, hash: last.hash };
}

/** Gives each projection the events that concern it. */
export async function project(
  tx: Transaction,
  domain: Domain,
  events: readonly RecordedEvent[],
): Promise<void> {
  for (const projection of domain.projections) {
    const own = events.filter(
      ({ type, data }) => (data as object | null) !== null && projection.handles.includes(type),
    );
    if (own.length > 0) await projection.apply(tx, own);
  }
}

/** Takes the host's lock. Throws {@link StreamMoved} where a stream is not any more at the version that was read. */
export async function lockUnlessMoved(tx: Sql, hostId: string, read: readonly ReadVersion[]): Promise<void> {
  const [row] = await tx.query<{ moved: boolean }>(
    'SELECT lock_and_compare($1, $2, $3, $4) AS moved',
    [
      hostId,
      read.map(({ id }) => id.aggregateType),
      read.map(({ id }) => id.aggregateId),
      read.map(({ version }) => version),
    ],
    'lock_and_compare',
  );
  if (row?.moved !== false) throw new StreamMoved(hostId);
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
