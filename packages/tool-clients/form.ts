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
  /** `tag`: a member by whose value the alternatives are told apart. */
  | { readonly kind: 'union'; readonly of: readonly Form[]; readonly tag?: string }
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

export const sameForm = (a: Form, b: Form): boolean => JSON.stringify(a) === JSON.stringify(b);

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

/** A member that every alternative must have, with another constant in each; undefined where there is none. */
export function tagOf(forms: readonly Form[], resolve: (to: string) => Form): string | undefined {
  const objects = forms.map((form) => (form.kind === 'reference' ? resolve(form.to) : form));
  const [first] = objects;
  if (objects.length < 2 || first?.kind !== 'object') return undefined;
  const isTag = (name: string): boolean => {
    const values = objects.map((object) => constantOf(object, name));
    return !values.includes(undefined) && new Set(values).size === objects.length;
  };
  return first.members.map(({ name }) => name).find(isTag);
}

function constantOf(form: Form, name: string): string | undefined {
  const member = form.kind === 'object' ? form.members.find((each) => each.name === name) : undefined;
  if (member?.presence !== 'required' || member.form.kind !== 'literals') return undefined;
  return member.form.values.length === 1 ? JSON.stringify(member.form.values[0]) : undefined;
}
