import type { Command, Decider, Outcome } from './command.js';
import type { DomainEvent, EventType, RecordedEvent } from './event.js';
import type { Sql, Transaction } from './sql.js';

/**
 * Keeps tables in step with the log. The same code runs in the appending transaction and on rebuild, where it
 * is given large batches; within a batch several events may concern one row, and all are of one host.
 */
export interface Projection {
  readonly name: string;
  /** Tables that it alone writes. */
  readonly tables: readonly string[];
  /** Event types that it handles. */
  readonly handles: readonly string[];
  /** Applies events of the types handled, in order of position. No clock, no randomness, no network. */
  apply(tx: Transaction, events: readonly RecordedEvent[]): Promise<void> | void;
}

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

/** A command class as the engine knows it: only its identity counts. */
export type CommandClass<C extends Command = Command> = abstract new (...given: never[]) => C;

/** One kind of aggregate: its rules, and the commands that they decide. Made by {@link aggregate}. */
export interface Aggregate {
  readonly decider: Decider<unknown, Command, DomainEvent>;
  readonly commands: readonly CommandClass[];
}

/** The refusal that clients get where the rule is broken. */
export interface UniqueRule {
  readonly code: string;
  readonly detail: string;
}

/** Unique rules by the name of the index that keeps them. */
export type UniqueRules = Readonly<Record<string, UniqueRule>>;

/** What one slice of the domain declares to the kernel: `skillSlice` in `skill.slice.ts`. */
export interface Slice {
  readonly name: string;
  readonly events: readonly EventType[];
  readonly aggregates: readonly Aggregate[];
  readonly projections: readonly Projection[];
  /** Views of its tables: all that SQL of other slices may read of it. */
  readonly views?: readonly string[];
  readonly reactions?: readonly Reaction[];
  readonly uniqueRules?: UniqueRules;
}

/** `aggregate(skillDecider, [CreateSkill, UpdateSkill])`: the decider must take every command listed. */
export function aggregate<State, C extends Command, E extends DomainEvent>(
  decider: Decider<State, C, E>,
  commands: readonly CommandClass<C>[],
): Aggregate {
  return { decider, commands };
}

/** A noun or link that is declared whole: one projection follows from it. */
export interface Declared {
  readonly events: readonly EventType[];
  readonly decider: Aggregate['decider'];
  readonly projection: Projection;
  readonly uniqueRules?: UniqueRules;
}

/** The slice of these nouns and links, with what it has beside them. */
export function sliceOf(
  name: string,
  declared: readonly Declared[],
  { events = [], aggregates = [], projections = [], uniqueRules, ...more }: Partial<Slice> = {},
): Slice {
  return {
    ...more,
    name,
    events: [...declared.flatMap((each) => each.events), ...events],
    aggregates: [...declared.map(({ decider }) => aggregate(decider, [])), ...aggregates],
    projections: [...declared.map(({ projection }) => projection), ...projections],
    uniqueRules: Object.assign({}, ...declared.map((each) => each.uniqueRules), uniqueRules) as UniqueRules,
  };
}
