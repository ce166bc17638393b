import type { DomainEvent } from './event.js';
import type { Command } from './command.js';

/**
 * The rules of one kind of aggregate: pure and total, no clock, no randomness, no I/O. What a rule must know
 * of other aggregates travels inside the command (see `Write.plan`).
 */
export interface Decider<State, C extends Command, E extends DomainEvent> {
  readonly aggregateType: string;
  readonly initial: State;
  /** The events that the command causes; none where it changes nothing. Throws the kernel's errors. */
  decide(command: C, state: State): readonly E[];
  /** The state after one more event. Never throws: what is in the log has happened. */
  evolve(state: State, event: E): State;
}
