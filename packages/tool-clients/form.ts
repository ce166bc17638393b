/** The small form between schemas and types: what all three languages can be given, and nothing else. */
import type { Json } from '../schema-reading/keywords.js';

export type Scalar = string | number | boolean | null;

export type Form =
  /** Anything: what a schema leaves open, and what this form can't say. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'null' | 'boolean' | 'integer' | 'number' | 'string' }
  | { readonly kind: 'literals'; readonly values: readonly Scalar[] }
  | { readonly kind: 'array'; readonly items: Form }
  /** A list whose first places have forms of their own; `required` of them are there. Without `rest` it is no longer. */
  | {
      readonly kind: 'tuple';
      readonly places: readonly Form[];
      readonly required: number;
      readonly rest?: Form;
    }
  | { readonly kind: 'map'; readonly values: Form }
  | ObjectForm
  | { readonly kind: 'union'; readonly of: readonly Form[] }
  /** Of one of the definitions. */
  | { readonly kind: 'reference'; readonly to: string };

export interface ObjectForm {
  readonly kind: 'object';
  readonly members: readonly Member[];
  /** Of members that are not listed, where the schema speaks of them. */
  readonly further?: Form;
}

export interface Member {
  readonly name: string;
  readonly form: Form;
  /** `filled`: there in any case, since its default is filled in. */
  readonly presence: 'required' | 'filled' | 'optional';
  readonly default?: Json;
  readonly description: string;
}

/** A schema as a form, with the forms that references lead to, by the pointer of each. */
export interface FormDocument {
  readonly root: Form;
  readonly definitions: ReadonlyMap<string, Form>;
}

export const unknown: Form = { kind: 'unknown' };

const sameForm = (a: Form, b: Form): boolean => JSON.stringify(a) === JSON.stringify(b);

/** One of them: flat, each once, constants together; unknown where one of them is. */
export function unionOf(forms: readonly Form[]): Form {
  const flat = forms.flatMap((form) => (form.kind === 'union' ? form.of : [form]));
  const constants = flat.flatMap((form) => (form.kind === 'literals' ? form.values : []));
  const together = flat.map((form): Form =>
    form.kind === 'literals' ? { kind: 'literals', values: [...new Set(constants)] } : form,
  );
  const distinct = [...new Map(together.map((form) => [JSON.stringify(form), form])).values()];
  if (distinct.some(({ kind }) => kind === 'unknown')) return unknown;
  return distinct.length === 1 ? (distinct[0] as Form) : { kind: 'union', of: distinct };
}

/** Whether a value may stand as a default for a form; false where only the schema could tell. */
export function takesDefault(form: Form, value: Json): value is Scalar {
  if (typeof value === 'object' && value !== null) return false;
  switch (form.kind) {
    case 'unknown':
      return true;
    case 'null':
      return value === null;
    case 'boolean':
    case 'string':
      return typeof value === form.kind;
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'literals':
      return form.values.includes(value);
    case 'union':
      return form.of.some((one) => takesDefault(one, value));
    default:
      return false;
  }
}

type Definition = (to: string) => Form | undefined;

/**
 * One form of those that hold of a value at once, as `allOf` has them.
 *
 * @param definition of a reference; undefined while it is being read
 * @returns undefined where the form can't say it
 */
export function merged(parts: readonly Form[], definition: Definition): Form | undefined {
  const telling = parts.filter(({ kind }) => kind !== 'unknown');
  const [first, ...others] = telling;
  return others.reduce<Form | undefined>(
    (form, other) => (form === undefined ? undefined : both(form, other, definition)),
    first ?? unknown,
  );
}

function both(one: Form, other: Form, definition: Definition): Form | undefined {
  if (sameForm(one, other)) return one;
  const [a, b] = [settled(one, definition), settled(other, definition)];
  if (a === undefined || b === undefined) return undefined;
  if (a.kind === 'unknown') return b;
  if (b.kind === 'unknown') return a;
  if (a.kind === 'map' && a.values.kind === 'unknown' && b.kind === 'object') return b;
  if (b.kind === 'map' && b.values.kind === 'unknown' && a.kind === 'object') return a;
  if (a.kind === 'object' && b.kind === 'object') return bothObjects(a, b, definition);
  if (sameForm(a, b)) return a;
  return narrower(a, b) ?? narrower(b, a);
}

function settled(form: Form, definition: Definition): Form | undefined {
  return form.kind === 'reference' ? definition(form.to) : form;
}

/** `a` where whatever is of it is of `b`; its alternatives that are of `b`. */
function narrower(a: Form, b: Form): Form | undefined {
  if (b.kind === 'union') {
    const left = b.of.filter((one) => sameForm(one, a));
    return left.length > 0 ? a : undefined;
  }
  if (a.kind === 'union') {
    const left = a.of.filter((one) => sameForm(one, b));
    return left.length > 0 ? unionOf(left) : undefined;
  }
  if (a.kind === 'integer' && b.kind === 'number') return a;
  if (a.kind !== 'literals') return undefined;
  if (b.kind === 'literals') {
    const values = a.values.filter((value) => b.values.includes(value));
    return values.length > 0 ? { kind: 'literals', values } : undefined;
  }
  const isOfB = (value: unknown): boolean =>
    b.kind === 'number' || b.kind === 'integer' ? typeof value === 'number' : typeof value === b.kind;
  return a.values.every(isOfB) ? a : undefined;
}

const PRESENCE = ['optional', 'filled', 'required'] as const;

function bothObjects(a: ObjectForm, b: ObjectForm, definition: Definition): Form {
  const members = new Map(a.members.map((member) => [member.name, member]));
  for (const member of b.members) {
    const known = members.get(member.name);
    members.set(member.name, known === undefined ? member : bothMembers(known, member, definition));
  }
  const further = a.further ?? b.further;
  return {
    kind: 'object',
    members: [...members.values()],
    ...(further !== undefined && { further: unknown }),
  };
}

function bothMembers(a: Member, b: Member, definition: Definition): Member {
  const presence = PRESENCE[Math.max(PRESENCE.indexOf(a.presence), PRESENCE.indexOf(b.presence))];
  return {
    ...b,
    ...a,
    form: merged([a.form, b.form], definition) ?? unknown,
    presence: presence ?? a.presence,
    description: a.description || b.description,
  };
}
