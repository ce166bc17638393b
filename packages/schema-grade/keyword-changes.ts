/** What a change of one keyword means for the values that a schema takes. */
import { alternatives, isObject, type Schema, type Shapes } from './schema-reading.js';

/** Keywords whose mere presence tightens, and whose values can't be ordered. */
export const OPAQUE = [
  'pattern',
  'format',
  'multipleOf',
  'uniqueItems',
  'contentEncoding',
  'contentMediaType',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;

export const LOWER_BOUNDS = [
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
];
export const UPPER_BOUNDS = [
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
];

/** Keywords that decide which members `unevaluatedProperties` and `unevaluatedItems` are about. */
export const EVALUATING = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'contains',
];

/**
 * What a change of one keyword does to the set of values that are accepted. `other`: neither holds;
 * `removal` and `addition` are of named properties, which callers know by name.
 */
export type Change = 'same' | 'wider' | 'narrower' | 'other' | 'removal' | 'addition';

const ALL_TYPES = ['null', 'boolean', 'object', 'array', 'string', 'number', 'integer'];

export function compareTypes(before: Schema, after: Schema, shapes: Shapes): Change {
  return inclusion(typesOf(before, shapes), typesOf(after, shapes));
}

/** Types of the values that `type`, or else `enum` or `const`, lets through. */
function typesOf(schema: Schema, shapes: Shapes): ReadonlySet<string> {
  const type = schema['type'] ?? valuesOf(schema, shapes)?.map(typeOf);
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
  const old = valuesOf(before, shapes);
  const now = valuesOf(after, shapes);
  if (old === undefined || now === undefined) return addedOrRemoved(old, now);
  const shapesOf = (values: readonly unknown[]) => new Set(values.map((value) => shapes.ofValue(value)));
  return inclusion(shapesOf(old), shapesOf(now));
}

/** The values that both `enum` and `const` let through; undefined where neither stands. */
function valuesOf(schema: Schema, shapes: Shapes): readonly unknown[] | undefined {
  const listed = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
  if (!('const' in schema)) return listed;
  const value = schema['const'];
  const isListed = listed?.some((each) => shapes.ofValue(each) === shapes.ofValue(value)) ?? true;
  return isListed ? [value] : [];
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

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Members by which objects may be told apart, looked at in their order. */
const MAX_TAGS = 8;

/**
 * Whether no value can meet two of the schemas: their types or values differ, or a member that all objects demand has other
 * values in each. So `oneOf` says the same as `anyOf`. Takes time in proportion to the schemas.
 */
export function areDisjoint(schemas: readonly unknown[], shapes: Shapes): boolean {
  if (!schemas.every(isObject)) return false;
  const listed = schemas.flatMap((schema) => {
    const values = valuesOf(schema, shapes);
    return values === undefined ? [] : [{ values, types: typesOf(schema, shapes) }];
  });
  const free = schemas.filter((schema) => valuesOf(schema, shapes) === undefined);
  const objects = free.filter(({ type }) => type === 'object');
  const types = [
    ...new Set(listed.flatMap((each) => [...each.types])),
    ...(objects.length > 0 ? ['object'] : []),
    ...free.filter(({ type }) => type !== 'object').flatMap((schema) => [...typesOf(schema, shapes)]),
  ];
  return (
    areDistinct(types) &&
    areDistinct(listed.flatMap(({ values }) => values.map((value) => shapes.ofValue(value)))) &&
    (objects.length < 2 || haveTag(objects, shapes))
  );
}

function areDistinct(items: readonly unknown[]): boolean {
  return new Set(items).size === items.length;
}

function haveTag(objects: readonly Schema[], shapes: Shapes): boolean {
  const names = alternatives(objects[0]?.['required']).slice(0, MAX_TAGS);
  return names.some((name) => {
    const values = objects.map(({ properties, required }) => {
      const member =
        alternatives(required).includes(name) && isObject(properties) && properties[String(name)];
      return isObject(member) ? valuesOf(member, shapes) : undefined;
    });
    return (
      values.every((each) => each !== undefined) &&
      areDistinct(values.flatMap((each) => each.map((value) => shapes.ofValue(value))))
    );
  });
}
