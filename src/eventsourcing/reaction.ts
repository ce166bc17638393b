import type { Command, Outcome } from './command.js';
import type { Sql } from './sql.js';

/** One aggregate that changed in this write, with the events that changed it. */
export interface Change<State = unknown> extends Outcome<State> {
  readonly eventTypes: readonly string[];
}

/**
 * Carries a change from a lower floor upward within the same append: changes in, own commands out. What it
 * looks up are rows as they were before this write. Depth is at most three.
 */
export interface Reaction {
  readonly name: string;
  /** Event types that it reacts to. */
  readonly on: readonly string[];
  react(changes: readonly Change[], sql: Sql): Promise<readonly Caused[]>;
}

/** A command and the change that caused it (its last event becomes `causationid`). */
export interface Caused {
  readonly command: Command;
  readonly cause: Change;
}
