import type { Domain } from './domain.js';
import type { RecordedEvent } from './event.js';
import type { Transaction } from './sql.js';

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
