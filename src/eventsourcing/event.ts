/** A fact that a decider states: what happened, in the words of the domain. */
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
