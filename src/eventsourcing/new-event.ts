import { v7 } from 'uuid';
import { asRead, canonicalJson, sha256Hex } from './canonical-json.js';
import type { Actor } from './command.js';
import type { DomainEvent, RecordedEvent, StreamId } from './event.js';
import type { Head, NewEvent } from './event-store.js';
import type { EventTypes } from './event-types.js';

/** CloudEvents `source` of every event of this program. */
export const SOURCE = 'urn:portal-catalog';

/** Where an event stands and who caused it. */
export interface Circumstances {
  readonly stream: StreamId;
  /** Aggregate version of the event. */
  readonly version: number;
  readonly actor: Actor;
  readonly correlationId: string;
  readonly causationId?: string | undefined;
}

/** Makes the envelope of an event, with its data checked against its schema, and the digests (contract 3). */
export function newEvent(types: EventTypes, event: DomainEvent, circumstances: Circumstances): NewEvent {
  const { stream, version, actor, correlationId, causationId } = circumstances;
  const text = canonicalJson(event.data);
  // What everybody works with from here on is what a reader of the log will get.
  const data = asRead(event.data, text);
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

export function dataSchemaOf(type: string, version: number): string {
  return `urn:portal-catalog:event:${type}:${String(version)}`;
}

/** Hex SHA-256 of the RFC 8785 bytes of the envelope: all members but data, position, time and hash. */
export function digestOf(envelope: Omit<RecordedEvent, 'data' | 'position' | 'time' | 'hash'>): string {
  return sha256Hex(canonicalJson(envelope));
}

/** The next link of a host's chain. */
export function chainHash(previousHash: string, position: number, time: string, digest: string): string {
  return sha256Hex(`${previousHash}\n${String(position)}\n${time}\n${digest}`);
}

/** The event as the log serves it, once the append has given it its place. */
export function recorded(
  event: NewEvent,
  place: Pick<RecordedEvent, 'position' | 'time' | 'hash'>,
): RecordedEvent {
  const { text: _text, digest: _digest, ...envelope } = event;
  return { ...envelope, ...place };
}

/** The events as the log will serve them where it ends so, `end.time` being their time. */
export function placedAfter(end: Head, events: readonly NewEvent[]): readonly RecordedEvent[] {
  let { position, hash } = end;
  return events.map((event) => {
    position += 1;
    hash = chainHash(hash, position, end.time, event.digest);
    return recorded(event, { position, time: end.time, hash });
  });
}
