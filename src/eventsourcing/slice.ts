import type { Command } from './command.js';
import type { Decider } from './decider.js';
import type { DomainEvent } from './event.js';
import type { EventType } from './event-type.js';
import type { Projection } from './projection.js';
import type { Reaction } from './reaction.js';

/** A command class as the engine knows it: only its identity counts. */
export type CommandClass<C extends Command = Command> = abstract new (...given: never[]) => C;

/** One kind of aggregate: its rules, and the commands that they decide. Made by {@link aggregate}. */
export interface Aggregate {
  readonly decider: Decider<unknown, Command, DomainEvent>;
  readonly commands: readonly CommandClass[];
}

/** What the broken unique rule of a named index is called towards clients. */
export interface UniqueRule {
  readonly code: string;
  readonly detail: string;
}

/** Unique rules by the name of the index that keeps them. */
export type UniqueRules = Readonly<Record<string, UniqueRule>>;

/** All that one slice of the domain gives to the ground: `skillSlice` in `skill.slice.ts`. */
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
