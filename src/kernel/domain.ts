import type { Command, Decider } from './command.js';
import { isErased } from './envelope.js';
import { RuleBroken } from './errors.js';
import type { DomainEvent, RecordedEvent } from './event.js';
import { EventTypes } from './event-types.js';
import type { Projection, Reaction, Slice, UniqueRule } from './slice.js';
import type { Transaction } from './sql.js';

/** Joins all slices, and checks that no name is declared twice and every event type that is handled is declared. */
export class Domain {
  readonly types: EventTypes;
  readonly projections: readonly Projection[];
  readonly reactions: readonly Reaction[];
  private readonly deciders = new Map<string, Decider<unknown, Command, DomainEvent>>();
  private readonly uniqueRules = new Map<string, UniqueRule>();

  constructor(readonly slices: readonly Slice[]) {
    this.types = new EventTypes(slices.flatMap(({ events }) => events));
    this.projections = slices.flatMap(({ projections }) => projections);
    this.reactions = slices.flatMap(({ reactions }) => reactions ?? []);
    refuseTwice(slices.flatMap(({ aggregates }) => aggregates.map(({ decider }) => decider.aggregateType)));
    refuseTwice(this.projections.flatMap(({ tables }) => tables));
    for (const { handles } of this.projections) for (const type of handles) this.types.get(type);
    for (const { on } of this.reactions) for (const type of on) this.types.get(type);
    for (const { aggregates, uniqueRules } of slices) {
      for (const { decider } of aggregates) this.deciders.set(decider.aggregateType, decider);
      for (const [index, rule] of Object.entries(uniqueRules ?? {})) this.uniqueRules.set(index, rule);
    }
  }

  deciderOf(command: Command): Decider<unknown, Command, DomainEvent> {
    const decider = this.deciders.get(command.aggregateType);
    if (decider === undefined) throw new Error(`No slice declares the aggregate ${command.aggregateType}.`);
    return decider;
  }

  /** Gives each projection the events that it handles. */
  async project(tx: Transaction, events: readonly RecordedEvent[]): Promise<void> {
    for (const projection of this.projections) {
      const own = events.filter((event) => !isErased(event) && projection.handles.includes(event.type));
      if (own.length > 0) await projection.apply(tx, own);
    }
  }

  /** The rule whose index refused a row, as clients know it; other errors as they are. */
  asRefusal(error: unknown): unknown {
    if (!isUniqueViolation(error)) return error;
    const rule = this.uniqueRules.get(error.constraint);
    return rule === undefined ? error : new RuleBroken(rule.code, rule.detail);
  }
}

/** unique_violation, and exclusion_violation: that of a unique rule that can be deferred to the end of a batch. */
const uniqueViolations: readonly unknown[] = ['23505', '23P01'];

/** A row that a unique rule of its table refused. */
export function isUniqueViolation(error: unknown): error is Error & { readonly constraint: string } {
  return (
    error instanceof Error &&
    'code' in error &&
    uniqueViolations.includes(error.code) &&
    'constraint' in error
  );
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${twice} is declared twice.`);
}
