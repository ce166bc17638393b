import type { JSONSchema } from 'json-schema-to-ts';
import type { DomainEvent, EventType, Touches } from '../../kernel/event.js';
import { defaultsOf, type Fields, type New, type SqlType, type Values } from './fields.js';

/** The declaration of a noun. */
export interface RecordSpec {
  /** Aggregate type and stem of the events: `Tag` gives `TagCreatedEvent`. */
  readonly name: string;
  /** Name of the noun in refusals. */
  readonly noun: string;
  /** Its table; `<table without _t>_history_t` keeps earlier rows. */
  readonly table: `${string}_t`;
  readonly history?: false;
  /** Its id, under its name in paths and answers. */
  readonly id: Fields;
  /** Fields that are set when it is created and never change. */
  readonly fixed: Fields;
  readonly fields: Fields;
  readonly lifecycle: 'deleted' | 'switched';
  /** Whether it may be created inactive, as a draft for review. */
  readonly drafts?: true;
  /** Stages that it goes through, forward only; each step is an event without data. */
  readonly stages?: Stages;
  /** Columns that follow from a field. */
  readonly derived?: Readonly<Record<string, Derived>>;
  /** `whole`: an update carries all fields that may change, and not just those that did. */
  readonly updates?: 'whole';
  /** Event types that do not follow from the name. */
  readonly events?: Readonly<Record<string, string>>;
  /** Whom its events touch: everybody unless said otherwise. */
  readonly touches?: Exclude<Touches, readonly string[]>;
  readonly unique?: Unique;
  /** Of a noun whose id the body brings: the refusal where there is one with it. */
  readonly idTaken?: { readonly code: string; detail(id: string): string };
}

/** Stages of a record, kept in a field that no request sets. */
export interface Stages {
  readonly field: string;
  readonly first: string;
  /** The stage that each step leads to: `{ published: 'PUBLISHED' }`. */
  readonly steps: Readonly<Record<string, string>>;
}

export interface Derived {
  readonly sql: SqlType;
  readonly from: string;
  /** Computes the column from the value of `from`, whose type is not known here. */
  readonly of: (value: never) => unknown;
}

/** Values that no two records of a host may share. */
export interface Unique<Name extends string = string> {
  /** The constraint of the table, which holds where writes race. */
  readonly constraint: string;
  readonly by: readonly Name[];
  /** Of fields whose values are one where they are read alike: the name of the `derived` one that has the value folded. */
  readonly folded?: Readonly<Partial<Record<Name, string>>>;
  /** `active`: inactive records don't count. */
  readonly among: 'active' | 'all';
  readonly code: string;
  /** The field that a refusal points at. */
  readonly pointer?: Name;
  /** Says what is wrong and what to do; `holder` is the id of the record that has the values, which are in the order of `by`. */
  detail(holder: string, values: readonly string[]): string;
  /** The same after a lost race, where the other record is not known. */
  readonly raced: string;
}

/** All fields of a record. */
export type FieldsOf<S extends RecordSpec> = Values<S['fixed']> & Values<S['fields']>;

/** All fields as they are given for a new record: those with a default may be left out. */
export type NewOf<S extends RecordSpec> = New<S['fixed']> & New<S['fields']>;

/** The fields that change; those left out stay. */
export type ChangesOf<S extends RecordSpec> = Partial<Values<S['fields']>>;

/** Values by their names, whatever the record. */
export type Members = Readonly<Record<string, unknown>>;

/** A record as its events leave it; null where there is none. */
export type RecordState<F = Members> = {
  readonly active: boolean;
  /** Of a record that has {@link Stages}. */
  readonly stage?: string;
  readonly fields: F;
} | null;

export type Kind = 'created' | 'drafted' | 'updated' | 'deleted' | 'activated' | 'deactivated';

/** What an event carries, and how it sets `active` and the stage. */
interface KindOf {
  readonly carries: 'all' | 'changes' | 'nothing';
  readonly active?: boolean;
  readonly stage?: string;
}

const kinds: Readonly<Record<Kind, KindOf>> = {
  created: { carries: 'all', active: true },
  drafted: { carries: 'all', active: false },
  updated: { carries: 'changes' },
  deleted: { carries: 'nothing', active: false },
  activated: { carries: 'nothing', active: true },
  deactivated: { carries: 'nothing', active: false },
};

/** The kinds of events of this record, by their names. */
function kindsOf({ lifecycle, drafts, stages }: RecordSpec): Readonly<Record<string, KindOf>> {
  const { created, drafted, updated, deleted, activated, deactivated } = kinds;
  const first = stages && { stage: stages.first };
  const steps = Object.entries(stages?.steps ?? {}).map(([kind, stage]) => [
    kind,
    { carries: 'nothing', stage } as const,
  ]);
  return {
    created: { ...created, ...first },
    ...(drafts && { drafted: { ...drafted, ...first } }),
    updated,
    ...(Object.fromEntries(steps) as Readonly<Record<string, KindOf>>),
    ...(lifecycle === 'deleted' ? { deleted } : { activated, deactivated }),
  };
}

type EventName<S extends RecordSpec, K extends Kind> = S extends {
  readonly events: Readonly<Record<K, infer Name extends string>>;
}
  ? Name
  : `${S['name']}${Capitalize<K>}Event`;

type StepEventName<S extends RecordSpec> = S extends { readonly stages: { readonly steps: infer Steps } }
  ? `${S['name']}${Capitalize<string & keyof Steps>}Event`
  : never;

export type RecordEvent<S extends RecordSpec = RecordSpec> =
  | DomainEvent<EventName<S, 'created'> | EventName<S, 'drafted'>, FieldsOf<S>>
  | DomainEvent<EventName<S, 'updated'>, ChangesOf<S>>
  | DomainEvent<
      EventName<S, 'deleted'> | EventName<S, 'activated'> | EventName<S, 'deactivated'> | StepEventName<S>,
      Record<never, never>
    >;

export function eventName({ name, events }: RecordSpec, kind: string): string {
  return events?.[kind] ?? `${name}${kind.charAt(0).toUpperCase()}${kind.slice(1)}Event`;
}

/** The kind of an event of this type. */
export function kindOf(spec: RecordSpec, type: string): KindOf & { readonly kind: string } {
  const found = Object.entries(kindsOf(spec)).find(([kind]) => eventName(spec, kind) === type);
  if (found === undefined) throw new Error(`${type} is no event of ${spec.name}.`);
  return { kind: found[0], ...found[1] };
}

/** The event types, each once: a record that is always written whole has one for both. */
export function eventsOf(spec: RecordSpec): readonly EventType[] {
  const types = Object.entries(kindsOf(spec)).map(([kind, { carries }]) => ({
    type: eventName(spec, kind),
    aggregateType: spec.name,
    version: 1,
    schema: schemaOf(spec, carries),
    ...(spec.touches !== undefined && { touches: spec.touches }),
  }));
  return types.filter(({ type }, index) => types.findIndex((each) => each.type === type) === index);
}

function schemaOf({ fixed, fields, updates }: RecordSpec, carries: KindOf['carries']): EventType['schema'] {
  const object = { type: 'object', additionalProperties: false } as const;
  if (carries === 'nothing') return object;
  const added = laterOf({ fixed, fields });
  const properties = storedOf(carries === 'all' ? { ...fixed, ...fields } : fields);
  return carries === 'all' || updates === 'whole'
    ? { ...object, required: Object.keys(properties).filter((name) => !(name in added)), properties }
    : { ...object, minProperties: 1, properties };
}

function storedOf(fields: Fields): Readonly<Record<string, JSONSchema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { stored }]) => [name, stored]));
}

/** Defaults of later fields, which older events lack. */
export function laterOf({ fixed, fields }: Pick<RecordSpec, 'fixed' | 'fields'>): Members {
  const added = Object.entries({ ...fixed, ...fields }).filter(([, { later }]) => later === true);
  return defaultsOf(Object.fromEntries(added));
}

/** The record after one more event. */
export function evolve(spec: RecordSpec, state: RecordState, { type, data }: DomainEvent): RecordState {
  const { kind, carries, active = state?.active ?? true, stage = state?.stage } = kindOf(spec, type);
  const seen = { active, ...(stage !== undefined && { stage }) };
  if (carries === 'all') return { ...seen, fields: { ...laterOf(spec), ...data } };
  if (kind === 'deleted' || state === null) return null;
  return { ...seen, fields: { ...state.fields, ...data } };
}
