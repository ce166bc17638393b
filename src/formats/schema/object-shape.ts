import { modernise } from '../../../packages/schema-reading/modern-schema.js';
import {
  byCodePoint,
  entriesOf,
  isObject,
  listMember,
  member,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { discriminatorOf, valuesOfBranch } from './discriminator.js';
import { type Discriminated, partialNames, propertiesOf, tellingProperty } from './merged-properties.js';
import type { SchemaSource } from './source.js';
import { bothOf, eitherOf, leastOf } from './choices.js';
import { exclusionsOf } from './exclusions.js';
import type { Cases, ObjectShape } from './shape.js';

/** One of those that a shape is merged of. */
interface Part {
  readonly shape: ObjectShape;
  /** It says itself that it is an object; a part that says nothing of its type may belong to one. */
  readonly isObject: boolean;
  /** It speaks of members that it does not name, other than to refuse them. */
  readonly isOpen: boolean;
  /** Members whose values only some of its alternatives limit. */
  readonly partial?: ReadonlySet<string>;
}

/** A schema that is a part of itself says no more by that. */
const nothing: Part = {
  isObject: false,
  isOpen: false,
  shape: { properties: new Map(), required: new Set() },
};

/** Parts of parts, and alternatives, beyond which a schema is not taken apart. */
const MAX_DEPTH = 20;
const MAX_PARTS = 200;

/**
 * Merges a schema into one shape: members of `allOf` together, branches of `oneOf` and `anyOf` as alternatives (a property
 * is required where all branches require it; beside that, what one of them requires). Undefined where it is, or could be, something else than an object, or names
 * no property.
 *
 * @param onCircle is given the pointers of schemas that are parts of themselves
 */
export function objectShape(
  schema: Json,
  source: SchemaSource,
  onCircle: (pointer: string) => void,
): ObjectShape | undefined {
  const part = new Merger(source, onCircle).part(schema, new Set(), 0);
  return part?.isObject && part.shape.properties.size > 0 ? part.shape : undefined;
}

class Merger {
  private parts = 0;

  constructor(
    private readonly source: SchemaSource,
    private readonly onCircle: (pointer: string) => void,
  ) {}

  part(schema: Json, above: ReadonlySet<string>, depth: number): Part | undefined {
    if (!isObject(schema) || depth > MAX_DEPTH || ++this.parts > MAX_PARTS) return undefined;
    const modern = modernise(schema);
    const { $ref, $dynamicRef, ...beside } = modern;
    const reference = $ref ?? $dynamicRef;
    if (typeof reference !== 'string') return this.keywords(modern, above, depth);
    const target = this.source.find(reference);
    if (target.kind !== 'local') return undefined;
    if (above.has(target.pointer)) {
      this.onCircle(target.pointer);
      return Object.keys(beside).length === 0 ? nothing : this.keywords(beside, above, depth);
    }
    const inner = this.part(target.schema, new Set(above).add(target.pointer), depth + 1);
    const outer = this.keywords(beside, above, depth);
    return inner && outer && together([inner, outer]);
  }

  private keywords(schema: JsonObject, above: ReadonlySet<string>, depth: number): Part | undefined {
    const given = ownPart(schema);
    if (!given) return undefined;
    const members = listMember(schema, 'allOf').map((member) => this.part(member, above, depth + 1));
    const choices = ['oneOf', 'anyOf']
      .filter((keyword) => listMember(schema, keyword).length > 0)
      .map((keyword) => this.alternatives(schema, keyword, above, depth));
    const all = [withoutDiscriminating(given, schema, choices), ...members, ...choices];
    if (all.includes(undefined)) return undefined;
    return evaluated(together(all.filter((part) => part !== undefined)), schema['unevaluatedProperties']);
  }

  private alternatives(
    schema: JsonObject,
    keyword: string,
    above: ReadonlySet<string>,
    depth: number,
  ): Part | undefined {
    const branches = listMember(schema, keyword)
      .filter((branch) => !isOther(branch, schema))
      .map((branch) => ({ branch, part: this.part(branch, above, depth + 1) }))
      .filter(({ part }) => part !== nothing);
    const parts = branches.map(({ part }) => part);
    if (parts.length === 0 || parts.includes(undefined)) return undefined;
    const all = branches.map(({ branch }) => branch);
    return either(
      parts.filter((part) => part !== undefined),
      discriminated(schema, all, this.source),
      keyword === 'oneOf',
    );
  }
}

/** Whether it never holds for an object: it is of null, or of another type where its parent is one. */
function isOther(branch: Json, { type: ofAll }: JsonObject): boolean {
  if (!isObject(branch) || branch['type'] === undefined) return false;
  const types = [branch['type']].flat();
  return types.every((type) => type === 'null' || (ofAll === 'object' && type !== 'object'));
}

/** Keywords that speak of values other than objects. */
const OTHERS = 'items prefixItems enum const pattern format minLength maxLength minItems maxItems'.split(' ');

/** Keywords that speak of an object as a whole, which are not merged. */
const LIMITS =
  'not if patternProperties propertyNames maxProperties dependentRequired dependentSchemas'.split(' ');

function ownPart(schema: JsonObject): Part | undefined {
  const { type } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== undefined && name !== 'null');
  if (types.length > 1 || (types.length === 1 && types[0] !== 'object')) return undefined;
  const properties = new Map(entriesOf(schema['properties']));
  if (types.length === 0 && properties.size === 0 && OTHERS.some((keyword) => keyword in schema))
    return undefined;
  const { additionalProperties, patternProperties, minProperties: least, description } = schema;
  return {
    isObject: types.length === 1 || properties.size > 0,
    isOpen: patternProperties !== undefined || (additionalProperties ?? false) !== false,
    shape: {
      properties,
      required: new Set(listMember(schema, 'required').filter((name) => typeof name === 'string')),
      ...(additionalProperties !== undefined &&
        patternProperties === undefined && { additional: additionalProperties }),
      ...(typeof description === 'string' && { description }),
      ...(typeof least === 'number' && { least }),
      ...(LIMITS.some((keyword) => keyword in schema) && { isLimited: true }),
    },
  };
}

/** A part without the text that tells its alternatives apart, where these have it: they say more of it. */
function withoutDiscriminating(own: Part, schema: JsonObject, choices: readonly (Part | undefined)[]): Part {
  const name = discriminatorOf(schema)?.property ?? '';
  const isSaid = choices.some((part) => part?.shape.properties.has(name));
  if (!isSaid || !isBareText(own.shape.properties.get(name))) return own;
  const properties = new Map([...own.shape.properties].filter(([property]) => property !== name));
  return { ...own, shape: { ...own.shape, properties } };
}

function isBareText(schema: Json | undefined): schema is JsonObject {
  const isNote = (keyword: string): boolean => ['type', 'title', 'description'].includes(keyword);
  return isObject(schema) && schema['type'] === 'string' && Object.keys(schema).every(isNote);
}

function discriminated(
  schema: JsonObject,
  branches: readonly Json[],
  source: SchemaSource,
): Discriminated | undefined {
  const discriminator = discriminatorOf(schema);
  if (discriminator === undefined) return undefined;
  const { property, mapping } = discriminator;
  const values = branches.map((branch) => valuesOfBranch(branch, discriminator, source));
  const isComplete = values.every((own) => own.length > 0);
  const named = isComplete ? values.flat() : mapping.map(([value]) => value);
  if (!isComplete && (named.length < branches.length || named.length === 0)) return undefined;
  const own = member(schema['properties'], property);
  const all = { type: 'string', enum: [...new Set(named)].sort(byCodePoint) };
  const isLimited = isObject(own) && (own['enum'] ?? own['const']) !== undefined;
  return {
    property,
    schema: isLimited ? own : isBareText(own) ? { ...own, ...all } : all,
    values: isComplete && new Set(named).size === named.length ? values : [],
  };
}

/** Once merged, what no part has evaluated is what none of them names. */
function evaluated(part: Part, rest: Json | undefined): Part {
  if (rest === undefined || part.isOpen || part.shape.additional !== undefined) return part;
  return { ...part, isOpen: rest !== false, shape: { ...part.shape, additional: rest } };
}

/** All hold at once. */
function together(given: readonly Part[]): Part {
  const parts = given.map((part) => withoutPartial(part, given));
  const shapes = parts.map(({ shape }) => shape);
  const additional = shapes.map((shape) => shape.additional).filter((value) => value !== undefined);
  const description = shapes.map((shape) => shape.description).findLast((text) => text !== undefined);
  const choices = shapes.map((shape) => shape.choices).reduce(bothOf, undefined);
  const cases = shapes.flatMap((shape) => shape.cases ?? []);
  const exclusions = shapes.flatMap((shape) => shape.exclusions ?? []);
  const partial = parts.flatMap((part) => [...(part.partial ?? [])]);
  return {
    isObject: parts.some((part) => part.isObject),
    isOpen: parts.some((part) => part.isOpen),
    ...(partial.length > 0 && { partial: new Set(partial) }),
    shape: {
      properties: propertiesOf(shapes, 'allOf'),
      required: new Set(shapes.flatMap((shape) => [...shape.required])),
      ...(choices && { choices }),
      ...(cases.length > 0 && { cases }),
      ...(exclusions.length > 0 && { exclusions }),
      ...leastOf(shapes, Math.max),
      ...(shapes.some((shape) => shape.isLimited) && { isLimited: true }),
      ...(additional.length > 0 && {
        additional: additional.find((value) => value === false) ?? (additional.at(-1) as Json),
      }),
      ...(description !== undefined && { description }),
    },
  };
}

/** Without the limits on values that hold in some alternatives alone, where something else says what holds in all. */
function withoutPartial(part: Part, all: readonly Part[]): Part {
  const isSaid = (name: string): boolean =>
    all.some((other) => other !== part && other.shape.properties.has(name) && !other.partial?.has(name));
  const left = [...(part.partial ?? [])].filter(isSaid);
  if (left.length === 0) return part;
  // With another value one of them may hold without the other.
  const { exclusions: _, ...shape } = part.shape;
  const properties = new Map([...shape.properties].filter(([name]) => !left.includes(name)));
  return { ...part, shape: { ...shape, properties } };
}

/** One of them holds; `isOnly` where no other may hold beside it. */
function either(parts: readonly Part[], named: Discriminated | undefined, isOnly: boolean): Part {
  const [first, ...others] = parts;
  const required = [...(first as Part).shape.required].filter((name) =>
    others.every(({ shape }) => shape.required.has(name)),
  );
  const shapes = parts.map(({ shape }) => shape);
  const properties = propertiesOf(shapes, 'anyOf');
  const apart = named ?? tellingProperty(shapes, properties);
  const cases = apart && casesOf(parts, apart);
  const choices = cases ? undefined : eitherOf(shapes);
  const exclusions = isOnly && !cases ? exclusionsOf(shapes) : [];
  const closed = shapes.every((shape) => shape.additional === false);
  if (apart && properties.has(apart.property)) properties.set(apart.property, apart.schema);
  return {
    isObject: parts.every((part) => part.isObject),
    isOpen: parts.some((part) => part.isOpen),
    partial: partialNames(shapes),
    shape: {
      properties,
      required: new Set(cases ? [...required, cases.property] : required),
      ...(choices && { choices }),
      ...(cases && { cases: [cases] }),
      ...(exclusions.length > 0 && { exclusions }),
      ...(closed && { additional: false }),
      ...leastOf(shapes, Math.min),
      ...(shapes.some((shape) => shape.isLimited) && { isLimited: true }),
    },
  };
}

/** What each branch requires by its values; undefined where these don't say it all. */
function casesOf(parts: readonly Part[], { property, values }: Discriminated): Cases | undefined {
  const isPlain = parts.every(({ shape }) => shape.choices === undefined && shape.properties.has(property));
  if (values.length === 0 || !isPlain) return undefined;
  const needs = parts.map(({ shape }, index) => ({
    values: values[index] ?? [],
    required: [...shape.required],
  }));
  return { property, needs };
}
