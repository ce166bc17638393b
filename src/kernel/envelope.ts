import { v7 } from 'uuid';
import { canonicalJson, sha256Hex } from './canonical-json.js';
import type { Actor } from './command.js';
import type { DomainEvent, RecordedEvent, StreamId } from './event.js';
import type { EventTypes } from './event-types.js';

/** CloudEvents `source` of every event of this program. */
const SOURCE = 'urn:portal-catalog';

/** The hash before a host's first event. */
export const GENESIS_HASH = '0'.repeat(64);

/** Where a host's log ends: position 0 and 64 zeros where it is empty. */
export interface Head {
  readonly position: number;
  /** RFC 3339 with milliseconds, UTC; empty where the log is. */
  readonly time: string;
  readonly hash: string;
}

/** Members that an event gets when it is appended. */
type Place = 'position' | 'time' | 'hash';

/** An event before it is appended: its envelope without its place in the log. */
export interface NewEvent<E extends DomainEvent = DomainEvent> extends Omit<RecordedEvent<E>, Place> {
  /** RFC 8785 text of `data`. */
  readonly text: string;
  /** Hex SHA-256 of the RFC 8785 bytes of the envelope without data and place. */
  readonly digest: string;
}

/** The stream of an event, and who caused it. */
export interface EventMetadata {
  readonly stream: StreamId;
  /** Aggregate version of the event. */
  readonly version: number;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId?: string | undefined;
}

/** Makes the envelope of an event, with its data checked against its schema, and the digests. */
export function newEvent(types: EventTypes, event: DomainEvent, metadata: EventMetadata): NewEvent {
  const { stream, version, actor, correlationId, causationId } = metadata;
  const text = canonicalJson(event.data);
  // Parsed back from the stored text, so that state and rows see what readers of the log will see.
  const data = JSON.parse(text) as object;
  types.check(event.type, data);
  const envelope = {
    specversion: '1.0' as const,
    id: v7(),
    source: SOURCE,
    type: event.type,
    subject: stream.aggregateId,
    datacontenttype: 'application/json' as const,
    dataschema: dataSchemaOf(event.type, types.get(event.type).version),
    host: stream.hostId,
    user: actor.user,
    ...(actor.clientId !== undefined && { clientid: actor.clientId }),
    aggregatetype: stream.aggregateType,
    aggregateid: stream.aggregateId,
    aggregateversion: version,
    correlationid: correlationId,
    ...(causationId !== undefined && { causationid: causationId }),
    datadigest: sha256Hex(text),
  };
  return { ...envelope, data, text, digest: digestOf(envelope) };
}

function dataSchemaOf(type: string, version: number): string {
  return `urn:portal-catalog:event:${type}:${String(version)}`;
}

/** Hex SHA-256 of the RFC 8785 bytes of the envelope: all members but data, position, time and hash. */
export function digestOf(envelope: Omit<RecordedEvent, 'data' | Place>): string {
  return sha256Hex(canonicalJson(envelope));
}

/** The next link of a host's chain. */
export function chainHash(previousHash: string, position: number, time: string, digest: string): string {
  return sha256Hex(`${previousHash}\n${String(position)}\n${time}\n${digest}`);
}

/** Places the events behind this end of the log, as the log will serve them; `head.time` is their time. */
export function placedAfter(head: Head, events: readonly NewEvent[]): readonly RecordedEvent[] {
  let { position, hash } = head;
  return events.map(({ text: _text, digest, ...envelope }) => {
    position += 1;
    hash = chainHash(hash, position, head.time, digest);
    return { ...envelope, position, time: head.time, hash };
  });
}

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

/** The envelope of a stored event as its digest covers it, in the shape in which it was written. */
export function envelopeOf(row: StoredEvent): Omit<RecordedEvent, 'data' | Place> {
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

/** Thrown where the log holds an event that only a newer version of the service can read. */
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
 * Reads an event for use: data in its present shape, `null` where it was erased. Throws
 * {@link NewerEvent}.
 */
export function readEvent(types: EventTypes, row: StoredEvent): RecordedEvent {
  if (row.data !== null && !types.knows(row.event_type, row.schema_version))
    throw new NewerEvent(row.host_id, row.position, row.event_type, row.schema_version);
  return showEvent(types, row);
}

/** Reads an event for display: like {@link readEvent}, but unchanged where a newer version of the service wrote it. */
export function showEvent(types: EventTypes, row: StoredEvent): RecordedEvent {
  const { event_type: type, schema_version: version, data: text, position, time, hash } = row;
  const stored: unknown = text === null ? null : JSON.parse(text);
  const data = text !== null && types.knows(type, version) ? types.upcast(type, version, stored) : stored;
  return { ...envelopeOf(row), data: data as object, position, time, hash };
}

/** Whether the data of the event was erased; the event keeps its place in the log. */
export function isErased(event: RecordedEvent): boolean {
  return (event.data as object | null) === null;
}
