import type { DomainEvent, RecordedEvent } from './event.js';
import type { Transaction } from './sql.js';

/**
 * One intent on one aggregate: an imperative class, `new CreateSkill(hostId, skillId, {...})`. Facts of other
 * aggregates that its rules need are part of the payload, looked up under the host's lock.
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
   * not read. Declared as `override readonly createsStream = true`.
   */
  readonly createsStream: boolean = false;
}

/** Who asks, as the log records it. */
export interface Actor {
  /** `sub` of the token. */
  readonly user: string;
  readonly clientId?: string;
}

/** Who writes, on which host, and on what terms. */
export interface WriteContext {
  readonly hostId: string;
  readonly actor: Actor;
  readonly correlationId: string;
  /** From `If-Match`: the version that the aggregate of the only command must have; `any`: it must exist. */
  readonly expectedVersion?: number | 'any';
  /** Set where the write is one of several that are carried out as one: see `CommandEngine.together`. */
  readonly within?: OpenTransaction;
}

/** A transaction that holds the lock of a host's head, and the events that its writes have appended so far. */
export interface OpenTransaction {
  readonly tx: Transaction;
  readonly appended: RecordedEvent[];
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
 * The rules of one kind of aggregate: pure and total, no clock, no randomness, no I/O. What a rule must know
 * of other aggregates travels inside the command (see {@link Command}).
 */
export interface Decider<State, C extends Command, E extends DomainEvent> {
  readonly aggregateType: string;
  readonly initial: State;
  /** The events that the command causes; none where it changes nothing. Throws the kernel's errors. */
  decide(command: C, state: State): readonly E[];
  /** The state after one more event. Never throws: what is in the log has happened. */
  evolve(state: State, event: E): State;
}
