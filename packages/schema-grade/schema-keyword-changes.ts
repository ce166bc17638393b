import { alternatives, type Schema, type Shapes } from './schema-reading.js';

/**
 * What a change of one keyword does to the set of values that are accepted. `other`: neither holds;
 * `removal` and `addition` are of named properties, which callers know by name.
 */
export type Change = 'same' | 'wider' | 'narrower' | 'other' | 'removal' | 'addition';

const ALL_TYPES = ['null', 'boolean', 'object', 'array', 'string', 'number', 'integer'];

export function compareTypes(before: Schema, after: Schema): Change {
  return inclusion(typesOf(before), typesOf(after));
}

function typesOf(schema: Schema): ReadonlySet<string> {
  const type = schema['type'];
  if (type === undefined) return new Set(ALL_TYPES);
  const types = new Set((Array.isArray(type) ? type : [type]).map(String));
  return types.has('number') ? types.add('integer') : types;
}

function inclusion<Item>(before: ReadonlySet<Item>, after: ReadonlySet<Item>): Change {
  const lost = [...before].some((item) => !after.has(item));
  const won = [...after].some((item) => !before.has(item));
  return change(won, lost);
}

function change(won: boolean, lost: boolean): Change {
  if (won) return lost ? 'other' : 'wider';
  return lost ? 'narrower' : 'same';
}

/** `enum` and `const` together: a const is an enum of one. */
export function compareEnum(before: Schema, after: Schema, shapes: Shapes): Change {
  const old = valuesOf(before);
  const now = valuesOf(after);
  if (old === undefined || now === undefined) return addedOrRemoved(old, now);
  const shapesOf = (values: readonly unknown[]) => new Set(values.map((value) => shapes.ofValue(value)));
  return inclusion(shapesOf(old), shapesOf(now));
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema['const']];
  return Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
}

export function compareRequired(before: Schema, after: Schema): Change {
  const old = new Set(alternatives(before['required']).map(String));
  const now = new Set(alternatives(after['required']).map(String));
  return inclusion(now, old);
}

/** A constraint that appears narrows, one that goes widens, one that changes does something else. */
export function addedOrRemoved(before: unknown, after: unknown): Change {
  if (before === undefined) return after === undefined ? 'same' : 'narrower';
  return after === undefined ? 'wider' : 'other';
}

export function boundChange(before: unknown, after: unknown, bound: 'lower' | 'upper'): Change {
  if (before === after) return 'same';
  if (typeof before !== 'number' || typeof after !== 'number') return addedOrRemoved(before, after);
  return after < before === (bound === 'lower') ? 'wider' : 'narrower';
}
