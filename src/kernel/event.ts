import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** A fact that a decider states: what happened. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** One aggregate's history within one host (docs/contract.md, section 3): versions 1, 2, 3 … without gaps. */
export interface StreamId {
  readonly hostId: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
}

/**
 * An event as the log serves it: CloudEvents 1.0 with the extensions of docs/contract.md, section 3. The chain covers every
 * member; `data` by its digest, so that it may be erased (`null`) without breaking the chain.
 */
export interface RecordedEvent<E extends DomainEvent = DomainEvent> {
  readonly specversion: '1.0';
  /** UUID v7. */
  readonly id: string;
  readonly source: string;
  readonly type: E['type'];
  /** The aggregate's id. */
  readonly subject: string;
  /** RFC 3339, UTC, milliseconds; never runs backwards within a host. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Names the shape of `data`: `urn:portal-catalog:event:<type>:<version>`. */
  readonly dataschema: string;
  readonly data: E['data'];
  readonly host: string;
  /** `sub` of the caller; empty where the token had none. */
  readonly user: string;
  /** `client_id` of the caller, where the token had one. */
  readonly clientid?: string;
  readonly aggregatetype: string;
  readonly aggregateid: string;
  readonly aggregateversion: number;
  /** Place in the host's log: 1, 2, 3 … without gaps. */
  readonly position: number;
  readonly correlationid: string;
  /** Id of the event that caused this one. */
  readonly causationid?: string;
  /** Hex SHA-256 of the RFC 8785 bytes of `data`. */
  readonly datadigest: string;
  /** Hex SHA-256 of previousHash LF position LF time LF digest. */
  readonly hash: string;
}

/**
 * Whom an event may affect among those who keep what they made of rows: whoever used its own record (`itself`), or also one
 * of the records whose ids are these members of its data; whoever refers to its record by name, which only the database
 * can say (`referrers`); everybody; nobody.
 */
export type Touches<Member extends string = string> =
  'itself' | readonly Member[] | 'referrers' | 'everybody' | 'nobody';

/** What the log knows of one type of event: the shape of its data, and how older shapes become the present one. */
export interface EventType<Type extends string = string, Schema extends JSONSchema = JSONSchema> {
  /** Stable name, `ToolPublishedEvent`: aggregate, past tense, `Event`. */
  readonly type: Type;
  readonly aggregateType: string;
  /** Version of the shape of `data`, from 1. */
  readonly version: number;
  /** JSON Schema 2020-12 of `data`, checked on append. */
  readonly schema: Schema;
  /** `upcasters[n]` turns data of version n into that of n + 1. */
  readonly upcasters?: Readonly<Record<number, (data: unknown) => unknown>>;
  /** Everybody unless said otherwise. */
  readonly touches?: Touches;
  /**
   * The member of `data` that names what an event of this type says all of: of those of a stream that name the same the last one
   * counts, and a fold is not given the others. The log keeps them all.
   */
  readonly restates?: string;
}

/** Names what an event says all of; null where it says a part, or does not name it. */
export function restatedBy({ type, restates }: EventType, data: object): string | null {
  const named = restates === undefined ? undefined : (data as Readonly<Record<string, unknown>>)[restates];
  return typeof named === 'string' ? `${type} ${named}` : null;
}

/** The ids of the records that an event of this type names: its own, and those in the members that the type touches. */
export function namedIds(
  { touches }: Pick<EventType, 'touches'>,
  { aggregateid, data }: RecordedEvent,
): readonly string[] {
  const members = typeof touches === 'object' ? touches : [];
  const named = members.map((member) => (data as Readonly<Record<string, unknown>>)[member]);
  return [aggregateid, ...named.filter((id) => typeof id === 'string')];
}

type MemberOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? string & keyof Properties
  : never;

/** Declares an event type; the type of its data is derived from the schema. */
export function eventType<const Type extends string, const Schema extends JSONSchema>(
  declaration: EventType<Type, Schema> & {
    readonly touches?: Touches<MemberOf<Schema>>;
    readonly restates?: MemberOf<Schema>;
  },
): EventType<Type, Schema> {
  return declaration;
}

/** The event of a declared type: `EventOf<typeof skillCreated>`. */
export type EventOf<T> =
  T extends EventType<infer Type, infer Schema>
    ? FromSchema<Schema> extends infer Data extends object
      ? DomainEvent<Type, Data>
      : never
    : never;
