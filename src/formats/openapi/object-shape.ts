import { modernise } from '../../../packages/schema-reading/modern-schema.js';
import {
  byCodePoint,
  entriesOf,
  isObject,
  listMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { SchemaSource } from '../schema/source.js';

/** Sets of names, one of which must be complete. */
type Choices = readonly (readonly string[])[];

/** More are not written down: no model would read them. */
const MAX_SETS = 16;

/** Both hold: each set of the one with each of the other. */
function bothOf(one: Choices | undefined, other: Choices | undefined): Choices | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.length * other.length > MAX_SETS) return one;
  return shortest(one.flatMap((set) => other.map((more) => [...set, ...more])));
}

/** One of several holds, each with what it requires and what it leaves a choice of. */
function eitherOf(
  branches: readonly { readonly required: ReadonlySet<string>; readonly choices?: Choices }[],
): Choices | undefined {
  return shortest(
    branches.flatMap(({ required, choices = [[]] }) => choices.map((set) => [...required, ...set])),
  );
}

/** What is left of the choices once some names are there anyway, and some can't be given. */
export function choicesAmong(
  choices: Choices | undefined,
  given: readonly string[],
  possible: readonly string[],
): Choices | undefined {
  const left = (name: string): boolean => possible.includes(name) && !given.includes(name);
  return choices && shortest(choices.map((set) => set.filter(left)));
}

/** Without sets that hold another one. Undefined where nothing is asked for, or too much to be said. */
function shortest(sets: Choices): Choices | undefined {
  const distinct = new Map(
    sets.map((set) => [...new Set(set)].sort()).map((set) => [JSON.stringify(set), set]),
  );
  const all = [...distinct.values()];
  const kept = all.filter((set) => !all.some((other) => other !== set && isWithin(other, set)));
  return kept.length > MAX_SETS || kept.some((set) => set.length === 0) ? undefined : kept;
}

const isWithin = (set: readonly string[], other: readonly string[]): boolean =>
  set.every((name) => other.includes(name));

/**
 * The choices as keywords of an object schema: without all sets but the last, the last is required. `anyOf` at the
 * root would be shorter, but makers of models refuse tools that have one there.
 *
 * @param sent names of which one must be there before anything is asked for; without them it always is
 */
export function keywordsOf(choices: Choices, sent?: readonly string[]): JsonObject {
  const sets: JsonObject[] = choices.map((required) => ({ required: [...required] }));
  const [last, ...others] = sets.reverse();
  if (last === undefined) return {};
  const anySent = sent && { anyOf: sent.toSorted(byCodePoint).map((name) => ({ required: [name] })) };
  const noOther = others.length > 0 ? { not: { anyOf: others } } : undefined;
  const conditions = [anySent, noOther].filter((condition) => condition !== undefined);
  const [only = {}] = conditions;
  return { if: conditions.length > 1 ? { allOf: conditions } : only, then: last };
}

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
interface Part {
  readonly shape: ObjectShape;
  /** It says itself that it is an object; a part that says nothing of its type may belong to one. */
  readonly isObject: boolean;
}

/** Parts of parts, and alternatives, beyond which a schema is not taken apart. */
const MAX_DEPTH = 20;
const MAX_PARTS = 200;

/**
 * Merges a schema into one shape: members of `allOf` together, branches of `oneOf` and `anyOf` as alternatives (a property
 * is required where all branches require it; beside that, what one of them requires). Undefined where it is, or could be, something else than an object, or names
 * no property.
 */
export function objectShape(schema: Json, source: SchemaSource): ObjectShape | undefined {
  const part = new Merger(source).part(schema, new Set(), 0);
  return part?.isObject && part.shape.properties.size > 0 ? part.shape : undefined;
}

class Merger {
  private parts = 0;

  constructor(private readonly source: SchemaSource) {}

  part(schema: Json, above: ReadonlySet<string>, depth: number): Part | undefined {
    if (!isObject(schema) || depth > MAX_DEPTH || ++this.parts > MAX_PARTS) return undefined;
    const modern = modernise(schema);
    if (typeof modern['$ref'] !== 'string') return this.keywords(modern, above, depth);
    const { $ref, ...beside } = modern;
    const target = this.source.find($ref);
    if (target.kind !== 'local' || above.has(target.pointer)) return undefined;
    const inner = this.part(target.schema, new Set(above).add(target.pointer), depth + 1);
    const outer = this.keywords(beside, above, depth);
    return inner && outer && together([inner, outer]);
  }

  private keywords(schema: JsonObject, above: ReadonlySet<string>, depth: number): Part | undefined {
    const own = ownPart(schema);
    if (!own) return undefined;
    const members = listMember(schema, 'allOf').map((member) => this.part(member, above, depth + 1));
    const choices = ['oneOf', 'anyOf']
      .filter((keyword) => listMember(schema, keyword).length > 0)
      .map((keyword) => this.alternatives(schema, keyword, above, depth));
    const all = [own, ...members, ...choices];
    return all.includes(undefined) ? undefined : together(all.filter((part) => part !== undefined));
  }

  private alternatives(
    schema: JsonObject,
    keyword: string,
    above: ReadonlySet<string>,
    depth: number,
  ): Part | undefined {
    const branches = listMember(schema, keyword).filter((branch) => !isNull(branch));
    const parts = branches.map((branch) => this.part(branch, above, depth + 1));
    if (parts.length === 0 || parts.includes(undefined)) return undefined;
    return either(
      parts.filter((part) => part !== undefined),
      discriminated(schema, keyword),
    );
  }
}

function isNull(branch: Json): boolean {
  return isObject(branch) && branch['type'] === 'null';
}

/** Keywords that speak of values other than objects. */
const OTHERS = 'items prefixItems enum const pattern format minLength maxLength minItems maxItems'.split(' ');

function ownPart(schema: JsonObject): Part | undefined {
  const { type } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== undefined && name !== 'null');
  if (types.length > 1 || (types.length === 1 && types[0] !== 'object')) return undefined;
  const properties = new Map(entriesOf(schema['properties']));
  if (types.length === 0 && properties.size === 0 && OTHERS.some((keyword) => keyword in schema))
    return undefined;
  const { additionalProperties, patternProperties, description } = schema;
  return {
    isObject: types.length === 1 || properties.size > 0,
    shape: {
      properties,
      required: new Set(listMember(schema, 'required').filter((name) => typeof name === 'string')),
      ...(additionalProperties !== undefined &&
        patternProperties === undefined && { additional: additionalProperties }),
      ...(typeof description === 'string' && { description }),
    },
  };
}

/** The values of the property that tells the branches apart, where the document maps them. */
function discriminated(schema: JsonObject, keyword: string): ReadonlyMap<string, Json> {
  const { discriminator } = schema;
  const name = isObject(discriminator) ? discriminator['propertyName'] : undefined;
  const values = entriesOf(isObject(discriminator) ? discriminator['mapping'] : undefined).map(
    ([value]) => value,
  );
  const complete = values.length >= listMember(schema, keyword).length && values.length > 0;
  return typeof name === 'string' && complete
    ? new Map([[name, { type: 'string', enum: values.toSorted(byCodePoint) }]])
    : new Map();
}

/** All hold at once. */
function together(parts: readonly Part[]): Part {
  const additional = parts.map(({ shape }) => shape.additional).filter((value) => value !== undefined);
  const description = parts.map(({ shape }) => shape.description).findLast((text) => text !== undefined);
  const choices = parts.map(({ shape }) => shape.choices).reduce(bothOf, undefined);
  return {
    isObject: parts.some((part) => part.isObject),
    shape: {
      properties: combine(parts, 'allOf'),
      required: new Set(parts.flatMap(({ shape }) => [...shape.required])),
      ...(choices && { choices }),
      ...(additional.length > 0 && {
        additional: additional.find((value) => value === false) ?? (additional.at(-1) as Json),
      }),
      ...(description !== undefined && { description }),
    },
  };
}

/** One of them holds. */
function either(parts: readonly Part[], discriminator: ReadonlyMap<string, Json>): Part {
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
      ...(closed && { additional: false }),
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
