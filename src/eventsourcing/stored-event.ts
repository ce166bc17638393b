import type { RecordedEvent } from './event.js';
import type { EventTypes } from './event-types.js';
import { dataSchemaOf } from './new-event.js';

/** A row of the event table. */
export interface StoredEvent {
  readonly host_id: string;
  readonly position: number;
  readonly id: string;
  readonly event_type: string;
  readonly schema_version: number;
  readonly aggregate_type: string;
  readonly aggregate_id: string;
  readonly aggregate_version: number;
  readonly user_id: string;
  readonly client_id: string | null;
  readonly source: string;
  readonly correlation_id: string;
  readonly causation_id: string | null;
  readonly time: string;
  /** RFC 8785 text; null where it was erased. */
  readonly data: string | null;
  readonly data_digest: string;
  readonly hash: string;
}

/** All but the data. */
export const envelopeColumns = [
  ...['host_id', 'position', 'id', 'event_type', 'schema_version', 'aggregate_type', 'aggregate_id'],
  ...['aggregate_version', 'user_id', 'client_id', 'source', 'correlation_id', 'causation_id', 'time'],
  ...['data_digest', 'hash'],
] as const satisfies readonly (keyof StoredEvent)[];

/** The envelope of a stored event, as its digest covers it: in the shape in which it was written. */
export function envelopeOf(row: StoredEvent): Omit<RecordedEvent, 'data' | 'position' | 'time' | 'hash'> {
  return {
    specversion: '1.0',
    id: row.id,
    source: row.source,
    type: row.event_type,
    subject: row.aggregate_id,
    datacontenttype: 'application/json',
    dataschema: dataSchemaOf(row.event_type, row.schema_version),
    host: row.host_id,
    user: row.user_id,
    ...(row.client_id !== null && { clientid: row.client_id }),
    aggregatetype: row.aggregate_type,
    aggregateid: row.aggregate_id,
    aggregateversion: row.aggregate_version,
    correlationid: row.correlation_id,
    ...(row.causation_id !== null && { causationid: row.causation_id }),
    datadigest: row.data_digest,
  };
}

/** The log holds an event that only a newer program can read. */
export class NewerEvent extends Error {
  constructor(
    readonly hostId: string,
    readonly position: number,
    readonly type: string,
    version: number,
  ) {
    super(
      `The event at position ${String(position)} of host ${hostId} is a ${type} of version ${String(version)}, which a newer ` +
        'program wrote: this one does not know it.',
    );
  }
}

/**
 * The event as readers of the program get it: data in the shape of today, `null` where it was erased. Throws
 * {@link NewerEvent}.
 */
export function readEvent(types: EventTypes, row: StoredEvent): RecordedEvent {
  if (row.data !== null && !types.knows(row.event_type, row.schema_version))
    throw new NewerEvent(row.host_id, row.position, row.event_type, row.schema_version);
  return showEvent(types, row);
}

/** The event as people are shown it: as {@link readEvent}, and as it is stored where a newer program wrote it. */
export function showEvent(types: EventTypes, row: StoredEvent): RecordedEvent {
  const { event_type: type, schema_version: version, data: text, position, time, hash } = row;
  const stored: unknown = text === null ? null : JSON.parse(text);
  const data = text !== null && types.knows(type, version) ? types.upcast(type, version, stored) : stored;
  return { ...envelopeOf(row), data: data as object, position, time, hash };
}

/** True for an event whose data was erased for good reason: it keeps its place, and says nothing any more. */
export function isErased(event: RecordedEvent): boolean {
  return (event.data as object | null) === null;
}
