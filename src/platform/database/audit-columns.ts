import type { RecordedEvent } from '../../eventsourcing/event.js';

/** The tail of every projection's row: which event changed it last, when, and by whom. */
export interface AuditColumns {
  readonly position: number;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
}

export function auditOf(event: RecordedEvent): AuditColumns {
  return {
    position: event.position,
    aggregate_version: event.aggregateversion,
    update_ts: event.time,
    update_user: event.user,
  };
}
