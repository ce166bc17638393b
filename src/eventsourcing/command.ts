import type { Sql } from './sql.js';

/**
 * One intent on one aggregate: an imperative class, `new CreateSkill(hostId, skillId, {...})`. Facts of other
 * aggregates that its rules need are part of the payload, looked up by the write's plan.
 */
export abstract class Command<Payload extends object = object> {
  abstract readonly aggregateType: string;

  constructor(
    readonly hostId: string,
    readonly aggregateId: string,
    readonly payload: Payload,
  ) {}

  /**
   * True for a command that makes a new aggregate under a fresh UUID v7: its stream is known to be empty and is
   * not read. Declared as `override readonly birth = true`.
   */
  readonly birth: boolean = false;
}

/** Who asks, as the log records it. */
export interface Actor {
  /** `sub` of the token. */
  readonly user: string;
  readonly clientId?: string;
}

/** What a successful write is answered with, kept whole under its idempotency key. */
export interface Reply {
  readonly status: 200 | 201;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
}

/** A key under which the reply is kept in the appending transaction (contract 1). */
export interface IdempotencyKey {
  /** Identifies host, caller and key: hex SHA-256. */
  readonly key: string;
  /** Hex SHA-256 over all that makes the request what it is. */
  readonly fingerprint: string;
  /** What the caller may do that a rule of a write can ask for; who lacks one of them gets no kept reply. */
  readonly grants: readonly string[];
}

/** All of a write that is not its intent. */
export interface WriteContext {
  readonly hostId: string;
  readonly actor: Actor;
  readonly correlationId: string;
  /** From `If-Match`: the version that the aggregate of the only command must have; `any`: it must exist. */
  readonly expectedVersion?: number | 'any';
  readonly idempotency?: IdempotencyKey;
}

/** What became of one command. */
export interface Outcome<State = unknown> {
  readonly command: Command;
  readonly id: string;
  /** Aggregate version after the write. */
  readonly version: number;
  /** Position of the last event in the aggregate's stream. */
  readonly position: number;
  readonly changed: boolean;
  readonly before: State;
  readonly after: State;
}

/**
 * One write: a plan that reads the facts and builds the commands, all or none of which are carried out in one
 * transaction on one host.
 *
 * `locked` (the usual way): the plan runs under the host's head lock; nothing that it reads can be raced.
 * `optimistic` (long plans): it runs before the lock and is made again, at most twice, when a stream that it
 * touched has moved or a unique rule of a table refuses it. Allowed only where these two guard all its facts.
 */
export interface Write {
  readonly context: WriteContext;
  readonly mode: 'locked' | 'optimistic';
  /** Only `locked`: all is done but the commit. The reply tells what would be, refusals are the same. */
  readonly dry?: boolean;
  plan(sql: Sql): Promise<readonly Command[]> | readonly Command[];
  /**
   * Only `optimistic`: asked under the head lock whether the facts of the plan still hold, where streams and
   * unique rules do not guard all of them; `false` plans again.
   */
  stillHolds?(sql: Sql): Promise<boolean>;
  /** Only `dry`: looks at the world as it would be, before all is undone. */
  look?(sql: Sql): Promise<void>;
  /** `outcomes` in the order of the commands; `position` of the last event that the write is about. */
  reply(outcomes: readonly Outcome[], position: number): Reply;
}
