import { isObject, type Json } from '../../documents/json.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { ObjectShape } from './shape.js';

/** The properties of several shapes: one that two describe differently takes what both say (`allOf`), or what one of them does. */
export function propertiesOf(shapes: readonly ObjectShape[], keyword: 'allOf' | 'anyOf'): Map<string, Json> {
  const found = new Map<string, Json[]>();
  for (const { properties } of shapes) {
    for (const [name, schema] of properties) {
      const variants = found.get(name);
      if (variants) variants.push(schema);
      else found.set(name, [schema]);
    }
  }
  return new Map([...found].map(([name, variants]) => [name, oneSchema(distinct(variants), keyword)]));
}

/** What tells alternatives apart: the property, as it is of all of them, and the values of each. */
export interface Discriminated {
  readonly property: string;
  readonly schema: Json;
  /** In the order of the alternatives; none where not all of them have some, or two the same. */
  readonly values: readonly (readonly string[])[];
}

/** What does so without a discriminator: a property that each asks for, with texts of its own (`kind: {const: card}`). */
export function tellingProperty(
  shapes: readonly ObjectShape[],
  merged: ReadonlyMap<string, Json>,
): Discriminated | undefined {
  if (shapes.length < 2) return undefined;
  for (const [property, schema] of merged) {
    const values = shapes.map(({ properties, required }) =>
      required.has(property) ? (plainEnum(properties.get(property) ?? null) ?? []) : [],
    );
    const all = values.flat();
    const tellsApart = values.every((own) => own.length > 0) && new Set(all).size === all.length;
    if (tellsApart) return { property, schema, values };
  }
  return undefined;
}

/** Names of members whose values only some of several alternatives limit, and another takes as they come. */
export function partialNames(shapes: readonly ObjectShape[]): ReadonlySet<string> {
  const open = shapes.filter(({ additional }) => additional !== false);
  const limited = shapes.flatMap(({ properties }) => [...properties].filter(([, schema]) => isLimit(schema)));
  return new Set(
    limited.map(([name]) => name).filter((name) => open.some(({ properties }) => !properties.has(name))),
  );
}

/** What a schema says of a value that is no more than a limit: it has no parts that are described. */
const PARTS = ['$ref', '$dynamicRef', 'properties', 'items', 'prefixItems', 'allOf', 'anyOf', 'oneOf'];

const isLimit = (schema: Json): boolean => !isObject(schema) || !PARTS.some((keyword) => keyword in schema);

/** Each once, whatever the order of its members; a single one, the common case, is not written out for that. */
function distinct(variants: readonly Json[]): readonly Json[] {
  if (variants.length === 1) return variants;
  return [...new Map(variants.map((schema) => [canonicalJson({ schema }), schema])).values()];
}

function oneSchema(variants: readonly Json[], keyword: 'allOf' | 'anyOf'): Json {
  if (variants.length === 1) return variants[0] as Json;
  const values = variants.map(plainEnum);
  if (keyword === 'anyOf' && !values.includes(undefined)) {
    return { type: 'string', enum: [...new Set(values.flatMap((list) => list ?? []))] };
  }
  return { [keyword]: [...variants] };
}

/** The texts of a schema that is no more than an enum of them. */
function plainEnum(schema: Json): readonly string[] | undefined {
  if (!isObject(schema)) return undefined;
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  const plain = Object.keys(schema).every((keyword) =>
    ['type', 'enum', 'const', 'description', 'title'].includes(keyword),
  );
  return plain && Array.isArray(values) && values.every((value) => typeof value === 'string')
    ? values
    : undefined;
}
