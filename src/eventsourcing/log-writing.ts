import type { Domain } from './domain.js';
import type { ReadVersion } from './decision.js';
import type { RecordedEvent } from './event.js';
import { StreamMoved, type NewEvent } from './event-store.js';
import { PostgresEventStore } from './postgres-event-store.js';
import type { Sql } from './sql.js';

/** Most events, and most characters of their data, that go to the database in one call. */
const SLICE = { events: 250, characters: 500_000 } as const;

/** Appends the events, and brings the projections in step, in the transaction given. */
export async function appendAndProject(
  tx: Sql,
  domain: Domain,
  hostId: string,
  events: readonly NewEvent[],
): Promise<readonly RecordedEvent[]> {
  const store = new PostgresEventStore(tx, domain.types);
  const appended: RecordedEvent[] = [];
  for (const slice of slicesOf(events)) {
    const recorded = await store.append(hostId, slice);
    await project(tx, domain, recorded);
    appended.push(...recorded);
  }
  return appended;
}

/** Gives each projection the events that concern it. */
export async function project(sql: Sql, domain: Domain, events: readonly RecordedEvent[]): Promise<void> {
  for (const projection of domain.projections) {
    const own = events.filter(
      ({ type, data }) => (data as object | null) !== null && projection.handles.includes(type),
    );
    if (own.length > 0) await projection.apply(sql, own);
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
