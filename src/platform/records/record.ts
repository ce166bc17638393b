import { isDeepStrictEqual } from 'node:util';
import { Command, type Decider } from '../../kernel/command.js';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import type { DomainEvent, EventType } from '../../kernel/event.js';
import type { Projection, UniqueRules } from '../../kernel/slice.js';
import type { Sql } from '../../kernel/sql.js';
import type { Table } from '../database/row-changes.js';
import { defaultsOf, pick, tableOfFields, type HasColumn } from './fields.js';
import {
  eventName,
  eventsOf,
  evolve,
  type ChangesOf,
  type FieldsOf,
  type Members,
  type NewOf,
  type RecordEvent,
  type RecordSpec,
  type RecordState,
  type Unique,
} from './record-spec.js';
import { findRecord, holderOf, recordProjection } from './record-sql.js';

/** A record that is to be made or changed. */
export interface RecordChange<F = Members> {
  readonly id: string;
  readonly next: F;
  /** The fields that differ; all where the record is new. */
  readonly changed: Partial<F>;
  readonly current: RecordState<F>;
}

/** Rules beyond those of every record. Facts about other records are passed in. */
export interface RecordRules<F, Facts, RemoveFacts> {
  /** Throws where the record must not be created or changed like this. */
  write?(change: RecordChange<F>, facts: Facts): void;
  /** Throws where the record must not be removed. */
  remove?(id: string, facts: RemoveFacts): void;
  /** Throws where the record must not go from its stage to this one. */
  step?(current: NonNullable<RecordState<F>>, stage: string): void;
}

/** The id of another record that has the unique values. */
export interface Held {
  readonly heldBy: string | null;
}
/** The facts of an activation: whether the name was taken meanwhile. */
type HeldOf<S extends RecordSpec> = S extends { readonly unique: { readonly among: 'active' } }
  ? [held: Held]
  : [];

type StepOf<S extends RecordSpec> = S extends { readonly stages: { readonly steps: infer Steps } }
  ? string & keyof Steps
  : never;

/** No facts: the argument may be left out. */
type NoFacts = ReturnType<() => void>;
type FactsOf<S extends RecordSpec, Facts> = S extends { readonly unique: object }
  ? Held & Facts
  : unknown extends Facts
    ? NoFacts
    : Facts;

/** A command on a record; made by the methods of its {@link Noun}. */
export class RecordCommand<Payload extends object = object> extends Command<Payload> {
  constructor(
    readonly aggregateType: string,
    readonly does:
      'create' | 'draft' | 'ensure' | 'put' | 'change' | 'remove' | 'activate' | 'deactivate' | 'step',
    [hostId, id]: readonly [hostId: string, id: string],
    payload: Payload,
    readonly facts: unknown,
    /** Whether the id is fresh, so that no stream can exist under it. */
    override readonly createsStream = false,
  ) {
    super(hostId, id, payload);
  }
}

/** What follows from the declaration of a record. */
export class Noun<S extends RecordSpec = RecordSpec, Facts = unknown, RemoveFacts = unknown> {
  readonly rows: Table;
  readonly events: readonly EventType[];
  readonly projection: Projection;
  readonly uniqueRules: UniqueRules = {};
  readonly decider: Decider<RecordState<FieldsOf<S>>, RecordCommand, RecordEvent<S>>;

  constructor(
    readonly spec: S,
    rules: RecordRules<FieldsOf<S>, Facts, RemoveFacts>,
  ) {
    this.rows = tableOfFields(spec.table, spec.id, columnsOf(spec));
    this.events = eventsOf(spec);
    this.projection = recordProjection(spec, this.rows);
    const { unique } = spec;
    if (unique !== undefined) {
      const { constraint, code, raced: detail } = unique;
      this.uniqueRules = { [constraint]: { code, detail } };
    }
    this.decider = deciderOf(spec, rules) as unknown as typeof this.decider;
  }

  /** Makes one under a fresh UUID v7, or under the id that the caller chose where `idTaken` is declared. */
  create(hostId: string, id: string, fields: NewOf<S>, facts: Facts): RecordCommand<FieldsOf<S>> {
    const { name, idTaken } = this.spec;
    return new RecordCommand(name, 'create', [hostId, id], this.whole(fields), facts, idTaken === undefined);
  }

  /** Makes one inactive, under a fresh UUID v7; its rules are checked when it is activated. */
  draft(hostId: string, id: string, fields: NewOf<S>): RecordCommand<FieldsOf<S>> {
    return new RecordCommand(this.spec.name, 'draft', [hostId, id], this.whole(fields), undefined, true);
  }

  /** Makes one unless there is one with the id. */
  ensure(hostId: string, id: string, fields: NewOf<S>, facts: Facts): RecordCommand<FieldsOf<S>> {
    return new RecordCommand(this.spec.name, 'ensure', [hostId, id], this.whole(fields), facts);
  }

  /** Makes one under an id that the caller chose, or writes all of it anew. */
  put(hostId: string, id: string, fields: NewOf<S>, facts: Facts): RecordCommand<FieldsOf<S>> {
    return new RecordCommand(this.spec.name, 'put', [hostId, id], this.whole(fields), facts);
  }

  /** Changes what is given and differs. */
  change(hostId: string, id: string, changes: ChangesOf<S>, facts: Facts): RecordCommand<ChangesOf<S>> {
    return new RecordCommand(this.spec.name, 'change', [hostId, id], this.own(changes), facts);
  }

  /** Takes the step to the next of its {@link Stages}. */
  step(hostId: string, id: string, step: StepOf<S>): RecordCommand {
    return new RecordCommand(this.spec.name, 'step', [hostId, id], { step }, undefined);
  }

  activate(hostId: string, id: string, ...held: HeldOf<S>): RecordCommand {
    const [facts] = held as readonly Held[];
    return new RecordCommand(this.spec.name, 'activate', [hostId, id], {}, facts);
  }

  deactivate(hostId: string, id: string): RecordCommand {
    return new RecordCommand(this.spec.name, 'deactivate', [hostId, id], {}, undefined);
  }

  remove(hostId: string, id: string, facts: RemoveFacts): RecordCommand {
    return new RecordCommand(this.spec.name, 'remove', [hostId, id], {}, facts);
  }

  /** Looks up which record has the values that must be unique; fields that are not given keep their present values. */
  async held(sql: Sql, hostId: string, id: string, given: Partial<FieldsOf<S>>): Promise<Held> {
    const { unique } = this.spec;
    return {
      heldBy:
        unique === undefined ? null : await holderOf(sql, { ...this.spec, unique }, { hostId, id }, given),
    };
  }

  /** The record with this id, also where it is inactive. */
  async find(sql: Sql, hostId: string, id: string): Promise<(FieldsOf<S> & { active: boolean }) | undefined> {
    return (await findRecord(sql, this.spec, { hostId, id })) as
      (FieldsOf<S> & { active: boolean }) | undefined;
  }

  /** All declared fields, by default where they are left out. */
  private whole(fields: NewOf<S>): FieldsOf<S> {
    const { fixed, fields: own } = this.spec;
    return { ...defaultsOf({ ...fixed, ...own }), ...this.own(fields) };
  }

  /** Just the declared fields among these members. */
  private own<Members extends object>(members: Members): Members {
    const declared = { ...this.spec.fixed, ...this.spec.fields };
    const own = Object.entries(members).filter(([name, value]) => name in declared && value !== undefined);
    return Object.fromEntries(own) as Members;
  }
}

/** The columns of a record beside its id. */
function columnsOf({ fixed, fields, derived, stages }: RecordSpec): Readonly<Record<string, HasColumn>> {
  return { ...fixed, ...fields, ...derived, ...(stages && { [stages.field]: { sql: 'text' } }) };
}

/** Declares a noun: an aggregate with fields that is made, changed, and then deleted or switched off. */
export function record<const S extends RecordSpec, Facts = unknown, RemoveFacts = void>(
  spec: S & { readonly unique?: Unique<string & keyof (S['fixed'] & S['fields'])> },
  rules: RecordRules<FieldsOf<S>, Facts, RemoveFacts> = {},
): Noun<S, FactsOf<S, Facts>, RemoveFacts> {
  return new Noun<S, FactsOf<S, Facts>, RemoveFacts>(
    spec,
    rules as RecordRules<FieldsOf<S>, FactsOf<S, Facts>, RemoveFacts>,
  );
}

type Rules = RecordRules<Members, unknown, unknown>;

function deciderOf(spec: RecordSpec, rules: Rules): Decider<RecordState, RecordCommand, DomainEvent> {
  const event = (kind: string, data: object = {}): DomainEvent => ({ type: eventName(spec, kind), data });
  return {
    aggregateType: spec.name,
    initial: null,
    evolve: (state, happened) => evolve(spec, state, happened),

    decide({ does, aggregateId, payload: given, facts }, current) {
      const payload = given as Members;
      if (current === null && (does === 'create' || does === 'ensure' || does === 'put')) {
        checkWrite(spec, rules, { id: aggregateId, next: payload, changed: payload, current }, facts);
        return [event('created', payload)];
      }
      if (current === null && does === 'draft') return [event('drafted', payload)];
      if (current === null) throw new NotFound(spec.noun, aggregateId);
      switch (does) {
        case 'create':
        case 'draft':
          throw idTaken(spec, aggregateId);
        case 'ensure':
          return [];
        case 'put':
        case 'change': {
          const changed = differing(payload, current.fields);
          if (Object.keys(changed).length === 0) return [];
          const next = { ...current.fields, ...changed };
          checkWrite(spec, rules, { id: aggregateId, next, changed, current }, facts);
          return [event('updated', spec.updates === 'whole' ? pick(next, spec.fields) : changed)];
        }
        case 'step': {
          const step = String(payload['step']);
          const stage = spec.stages?.steps[step] ?? '';
          if (current.stage === stage) return [];
          rules.step?.(current, stage);
          return [event(step)];
        }
        case 'remove':
          rules.remove?.(aggregateId, facts);
          return [event('deleted')];
        case 'activate':
          if (current.active) return [];
          if (spec.unique?.among === 'active') refuseHeld(spec, current.fields, facts);
          return [event('activated')];
        case 'deactivate':
          return current.active ? [event('deactivated')] : [];
      }
    },
  };
}

function idTaken({ noun, idTaken }: RecordSpec, id: string): Error {
  if (idTaken === undefined) return new Error(`The ${noun} ${id} is there already.`);
  return new RuleBroken(idTaken.code, idTaken.detail(id));
}

function checkWrite(spec: RecordSpec, rules: Rules, change: RecordChange, facts: unknown): void {
  const { unique } = spec;
  const counts = unique?.among === 'all' || change.current?.active !== false;
  rules.write?.(change, facts);
  if (counts && unique?.by.some((name) => name in change.changed) === true)
    refuseHeld(spec, change.next, facts);
}

function refuseHeld({ unique }: RecordSpec, fields: Members, facts: unknown): void {
  if (unique === undefined) return;
  const { heldBy } = facts as Held;
  if (heldBy === null) return;
  const values = unique.by.map((name) => String(fields[name]));
  const detail = unique.detail(heldBy, values);
  const faults = unique.pointer === undefined ? [] : [{ pointer: `/${unique.pointer}`, detail }];
  throw new RuleBroken(unique.code, detail, faults);
}

function differing(given: Members, current: Members): Members {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isDeepStrictEqual(value, current[name])),
  );
}
