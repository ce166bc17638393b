import type { JSONSchema } from 'json-schema-to-ts';
import type { DomainEvent } from '../../eventsourcing/event.js';
import type { EventType } from '../../eventsourcing/event-type.js';
import type { Fields, Values } from './fields.js';

/** What a noun is. */
export interface RecordSpec {
  /** Aggregate type and stem of the events: `Tag` gives `TagCreatedEvent`. */
  readonly name: string;
  /** As refusals call it. */
  readonly noun: string;
  /** Its rows; `<table without _t>_history_t` keeps what they were. */
  readonly table: `${string}_t`;
  readonly history?: false;
  /** Its id alone, by the name that paths and answers give it. */
  readonly id: Fields;
  /** Given when it is made, and never changed. */
  readonly fixed: Fields;
  readonly fields: Fields;
  readonly lifecycle: 'deleted' | 'switched';
  /** Whether it may be made inactive, to be looked through first. */
  readonly drafts?: true;
  /** `whole`: an update carries all fields, and not just those that changed. */
  readonly updates?: 'whole';
  /** Event types that do not follow from the name. */
  readonly events?: Readonly<Partial<Record<Kind, string>>>;
  readonly unique?: Unique;
  /** Of a noun whose id the body brings: the refusal where there is one with it. */
  readonly idTaken?: { readonly code: string; detail(id: string): string };
}

/** What no two records of a host share. */
export interface Unique<Name extends string = string> {
  /** The constraint of the table that keeps it under races. */
  readonly constraint: string;
  readonly by: readonly Name[];
  /** `active`: a record that is inactive holds nothing. */
  readonly among: 'active' | 'all';
  readonly code: string;
  /** The field that a refusal points at. */
  readonly pointer?: Name;
  /** What is wrong and what to do, by the id of the record that has it and the values in the order of `by`. */
  detail(holder: string, values: readonly string[]): string;
  /** The same where a race is lost, and nobody knows to whom. */
  readonly raced: string;
}

/** All fields of a record. */
export type FieldsOf<S extends RecordSpec> = Values<S['fixed']> & Values<S['fields']>;

/** The fields that change; those left out stay. */
export type ChangesOf<S extends RecordSpec> = Partial<Values<S['fields']>>;

/** Values by their names, whatever the record. */
export type Members = Readonly<Record<string, unknown>>;

/** A record as its events leave it; null where there is none. */
export type RecordState<F = Members> = { readonly active: boolean; readonly fields: F } | null;

export type Kind = 'created' | 'drafted' | 'updated' | 'deleted' | 'activated' | 'deactivated';

/** What an event carries, and what it makes of `active`. */
const kinds: Readonly<
  Record<Kind, { readonly carries: 'all' | 'changes' | 'nothing'; readonly active?: boolean }>
> = {
  created: { carries: 'all', active: true },
  drafted: { carries: 'all', active: false },
  updated: { carries: 'changes' },
  deleted: { carries: 'nothing', active: false },
  activated: { carries: 'nothing', active: true },
  deactivated: { carries: 'nothing', active: false },
};

function kindsOf({ lifecycle, drafts }: RecordSpec): readonly Kind[] {
  const made: Kind[] = drafts === true ? ['created', 'drafted'] : ['created'];
  return [...made, 'updated', ...(lifecycle === 'deleted' ? (['deleted'] as const) : switches)];
}

const switches = ['activated', 'deactivated'] as const;

type EventName<S extends RecordSpec, K extends Kind> = S extends {
  readonly events: Readonly<Record<K, infer Name extends string>>;
}
  ? Name
  : `${S['name']}${Capitalize<K>}Event`;

export type RecordEvent<S extends RecordSpec = RecordSpec> =
  | DomainEvent<EventName<S, 'created'> | EventName<S, 'drafted'>, FieldsOf<S>>
  | DomainEvent<EventName<S, 'updated'>, ChangesOf<S>>
  | DomainEvent<
      EventName<S, 'deleted'> | EventName<S, 'activated'> | EventName<S, 'deactivated'>,
      Record<never, never>
    >;

export function eventName({ name, events }: RecordSpec, kind: Kind): string {
  return events?.[kind] ?? `${name}${kind.charAt(0).toUpperCase()}${kind.slice(1)}Event`;
}

/** What an event of this type says of the record. */
export function kindOf(spec: RecordSpec, type: string): (typeof kinds)[Kind] & { readonly kind: Kind } {
  const kind = kindsOf(spec).find((each) => eventName(spec, each) === type);
  if (kind === undefined) throw new Error(`${type} is no event of ${spec.name}.`);
  return { kind, ...kinds[kind] };
}

/** The event types, each once: a record that is always written whole has one for both. */
export function eventsOf(spec: RecordSpec): readonly EventType[] {
  const types = kindsOf(spec).map((kind) => ({
    type: eventName(spec, kind),
    aggregateType: spec.name,
    version: 1,
    schema: schemaOf(spec, kind),
  }));
  return types.filter(({ type }, index) => types.findIndex((each) => each.type === type) === index);
}

function schemaOf({ fixed, fields, updates }: RecordSpec, kind: Kind): EventType['schema'] {
  const { carries } = kinds[kind];
  const object = { type: 'object', additionalProperties: false } as const;
  if (carries === 'nothing') return object;
  const whole = carries === 'all' || updates === 'whole';
  const properties = storedOf(whole ? { ...fixed, ...fields } : fields);
  return whole
    ? { ...object, required: Object.keys(properties), properties }
    : { ...object, minProperties: 1, properties };
}

function storedOf(fields: Fields): Readonly<Record<string, JSONSchema>> {
  return Object.fromEntries(Object.entries(fields).map(([name, { stored }]) => [name, stored]));
}

/** The record after one more event. */
export function evolve(spec: RecordSpec, state: RecordState, { type, data }: DomainEvent): RecordState {
  const { kind, carries, active = state?.active ?? true } = kindOf(spec, type);
  if (carries === 'all') return { active, fields: data as Members };
  if (kind === 'deleted' || state === null) return null;
  return { active, fields: { ...state.fields, ...data } };
}
