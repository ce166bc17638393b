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

/** One of them: flat, each once, constants together; unknown where one of them is. */
export function unionOf(forms: readonly Form[]): Form {
  const flat = forms.flatMap((form) => (form.kind === 'union' ? form.of : [form]));
  const constants = flat.flatMap((form) => (form.kind === 'literals' ? form.values : []));
  const literals: Form = { kind: 'literals', values: [...new Set(constants)] };
  // They stand where the first of them stood, and once: of a schema of many constants each would be a copy of all.
  const first = flat.findIndex(({ kind }) => kind === 'literals');
  const together = flat.flatMap((form, place): readonly Form[] =>
    form.kind !== 'literals' ? [form] : place === first ? [literals] : [],
  );
  const distinct = distinctForms(together);
  if (distinct.some(({ kind }) => kind === 'unknown')) return unknown;
  return distinct.length === 1 ? (distinct[0] as Form) : { kind: 'union', of: distinct };
}

export const distinctForms = (forms: readonly Form[]): readonly Form[] => [
  ...new Map(forms.map((form) => [JSON.stringify(form), form])).values(),
];

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
