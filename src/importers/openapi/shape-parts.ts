import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { isObject, type Json } from '../../documents/json.js';
import { bothOf, eitherOf, type Choices } from './required-choices.js';

/** The properties of an object schema, whatever it is composed of. The schemas are still the document's. */
export interface ObjectShape {
  readonly properties: ReadonlyMap<string, Json>;
  readonly required: ReadonlySet<string>;
  /** What alternatives require, where that is not the same. */
  readonly choices?: Choices;
  /** `additionalProperties`, where something speaks of it. */
  readonly additional?: Json;
  readonly description?: string;
}

/** One of those that a shape is merged of. */
export interface Part {
  readonly shape: ObjectShape;
  /** It says itself that it is an object; a part that says nothing of its type may belong to one. */
  readonly isObject: boolean;
}

/** All hold at once. */
export function together(parts: readonly Part[]): Part {
  const additional = parts.map(({ shape }) => shape.additional).filter((value) => value !== undefined);
  const description = parts.map(({ shape }) => shape.description).findLast((text) => text !== undefined);
  const choices = parts.map(({ shape }) => shape.choices).reduce(bothOf, undefined);
  return {
    isObject: parts.some((part) => part.isObject),
    shape: {
      properties: combine(parts, 'allOf'),
      required: new Set(parts.flatMap(({ shape }) => [...shape.required])),
      ...(choices && { choices }),
      ...(additional.length === 0
        ? {}
        : { additional: additional.find((value) => value === false) ?? (additional.at(-1) as Json) }),
      ...(description === undefined ? {} : { description }),
    },
  };
}

/** One of them holds. */
export function either(parts: readonly Part[], discriminator: ReadonlyMap<string, Json>): Part {
  const [first, ...others] = parts;
  const required = [...(first as Part).shape.required].filter((name) =>
    others.every(({ shape }) => shape.required.has(name)),
  );
  const choices = eitherOf(parts.map(({ shape }) => shape));
  const closed = parts.every(({ shape }) => shape.additional === false);
  const properties = combine(parts, 'anyOf');
  for (const [name, schema] of discriminator) if (properties.has(name)) properties.set(name, schema);
  return {
    isObject: parts.every((part) => part.isObject),
    shape: {
      properties,
      required: new Set(required),
      ...(choices && { choices }),
      ...(closed ? { additional: false } : {}),
    },
  };
}

function combine(parts: readonly Part[], keyword: 'allOf' | 'anyOf'): Map<string, Json> {
  const found = new Map<string, Json[]>();
  for (const { shape } of parts) {
    for (const [name, schema] of shape.properties) {
      const variants = found.get(name);
      if (variants) variants.push(schema);
      else found.set(name, [schema]);
    }
  }
  return new Map([...found].map(([name, variants]) => [name, oneSchema(distinct(variants), keyword)]));
}

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
