import type { Domain } from './domain.js';
import type { ReadVersion } from './decision.js';
import { DraftedRows } from './drafted-rows.js';
import type { RecordedEvent } from './event.js';
import { StreamMoved, type Head, type NewEvent } from './event-store.js';
import { Pace } from './pace.js';
import { packFast } from './pack-fast.js';
import { PostgresEventStore } from './postgres-event-store.js';
import { project } from './project.js';
import type { Sql, Transaction } from './sql.js';

/** Most events, and most characters of their data, that go to the database in one call. */
const SLICE = { events: 64, characters: 250_000 } as const;

/** Where a write goes. */
export interface WritePlace {
  readonly tx: Transaction;
  readonly domain: Domain;
  /** Where the log ends, as is known under the lock or taken for likely; else the database is asked. */
  readonly foreseen?: Head | undefined;
}

/**
 * Appends the events, and brings the projections in step, in the transaction given.
 *
 * @param drafted the rows of the events, where they were made beforehand
 */
export async function appendAndProject(
  { tx, domain, foreseen }: WritePlace,
  hostId: string,
  events: readonly NewEvent[],
  drafted?: DraftedRows,
): Promise<readonly RecordedEvent[]> {
  if (events.length === 0) return [];
  if (isMuch(events)) return appendMuch({ tx, domain, foreseen }, hostId, events, drafted);
  const store = new PostgresEventStore(tx, domain.types);
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

/** Whether the events are too many for one call: then their rows are better made before the host is locked. */
export function isMuch(events: readonly NewEvent[]): boolean {
  return slicesOf(events).length > 1;
}

/**
 * Others wait for the lock that is held meanwhile. Under it, it is known beforehand where each event will stand: nothing is
 * waited for, and rows that nobody has made yet are made while the database appends.
 */
async function appendMuch(
  { tx, domain, foreseen }: WritePlace,
  hostId: string,
  events: readonly NewEvent[],
  drafted: DraftedRows | undefined,
): Promise<readonly RecordedEvent[]> {
  tx.send(packFast);
  const store = new PostgresEventStore(tx, domain.types);
  const end = foreseen ?? (await store.lock(hostId));
  const appended: RecordedEvent[] = [];
  const pace = new Pace();
  for (const slice of slicesOf(events)) {
    appended.push(...store.appendAfter(tx, headOf(appended) ?? end, slice));
    await pace.step();
  }
  const rows = drafted ?? (await DraftedRows.of(tx, domain, events));
  await rows.writeAfter(end, tx);
  return appended;
}

/** Where the log ends with the last of these events. */
export function headOf(events: readonly RecordedEvent[]): Head | undefined {
  const last = events.at(-1);
  return last && { position: last.position, time: last.time, hash: last.hash };
}

/** Takes the host's lock, where it is not held yet. Throws {@link StreamMoved} where a stream is not any more at the version that was read. */
export async function refuseMoved(tx: Sql, hostId: string, read: readonly ReadVersion[]): Promise<void> {
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
