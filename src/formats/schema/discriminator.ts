import {
  byCodePoint,
  entriesOf,
  isObject,
  listMember,
  member,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import type { Direction } from './openapi-keywords.js';
import type { SchemaSource } from './source.js';

/** OpenAPI's `discriminator`: which value of a property goes with which schema. */
export interface Discriminator {
  readonly property: string;
  /** Values, and the references or names that they stand for. */
  readonly mapping: readonly (readonly [value: string, target: string])[];
}

/** Reads that of a schema; in OpenAPI 2.0 it is the name of the property alone. */
export function discriminatorOf({ discriminator }: JsonObject): Discriminator | undefined {
  const property =
    textMember({ discriminator }, 'discriminator') ?? textMember(discriminator, 'propertyName');
  if (property === undefined || property === '__proto__') return undefined;
  const mapping = entriesOf(member(discriminator, 'mapping')).flatMap(([value, target]) =>
    typeof target === 'string' ? [[value, target] as const] : [],
  );
  return { property, mapping };
}

/** Parents, as they are without the subtypes that were written into them. */
const bases = new WeakMap<object, JsonObject>();

export function noteBase(parent: JsonObject, base: JsonObject): void {
  bases.set(parent, base);
}

/** A schema as its author wrote it: what comes back may be of a subtype that the document does not have. */
export function withoutSubtypes(schema: Json): Json {
  return (isObject(schema) ? bases.get(schema) : undefined) ?? schema;
}

/**
 * JSON Schema has no such keyword, so each branch of `oneOf` or `anyOf` that is a reference is given the values that stand
 * for it.
 */
export function namedBranches(
  schema: JsonObject,
  source: SchemaSource,
  direction: Direction,
): Partial<Record<string, Json>> {
  const discriminator = discriminatorOf(schema);
  if (discriminator === undefined) return {};
  // Names of schemas are what should be sent; services answer with other values.
  if (direction === 'output' && discriminator.mapping.length === 0) return {};
  const branches: Partial<Record<string, Json>> = {};
  for (const keyword of ['oneOf', 'anyOf']) {
    if (Array.isArray(schema[keyword]))
      branches[keyword] = schema[keyword].map((branch) => nameBranch(branch, discriminator, source));
  }
  return branches;
}

function nameBranch(branch: Json, discriminator: Discriminator, source: SchemaSource): Json {
  const values = valuesOfBranch(branch, discriminator, source);
  if (values.length === 0 || !isObject(branch)) return branch;
  const { property } = discriminator;
  const constraint: JsonObject = values.length === 1 ? { const: values[0] as string } : { enum: [...values] };
  return { ...branch, properties: { [property]: constraint }, required: [property] };
}

/**
 * Lists the values that stand for a branch: those that the mapping has for it, else the name of its schema, or what the schema
 * itself limits the property to. None where it is no reference, or takes none of the mapped values.
 */
export function valuesOfBranch(
  branch: Json,
  { property, mapping }: Discriminator,
  source: SchemaSource,
): readonly string[] {
  const reference = textMember(branch, '$ref');
  if (reference === undefined || !isObject(branch) || Object.keys(branch).length > 1) return [];
  const mapped = mapping
    .filter(([, target]) => target === reference || target === lastStep(reference))
    .map(([value]) => value)
    .sort(byCodePoint);
  const isWhole = mapping.every(([, target]) => isFound(target, source));
  const values = mapped.length > 0 || !isWhole ? mapped : nameIn(reference);
  const limits = limitsOf(reference, property, source);
  const isTaken = (value: string): boolean => limits.every((each) => each.takes(value));
  if (values.every(isTaken)) return values;
  const own = limits.find(({ texts }) => texts.length > 0)?.texts ?? [];
  return mapped.length > 0 ? [] : own.filter(isTaken);
}

const NAMED = /^#\/(?:components\/schemas|definitions|\$defs)\/([^/]+)$/;

function nameIn(reference: string): readonly string[] {
  const [, name] = NAMED.exec(reference) ?? [];
  return name === undefined || /[%~]/.test(name) ? [] : [name];
}

/** What leads out of the document can't be told from a branch without a mapping. */
function isFound(target: string, source: SchemaSource): boolean {
  const reference = target.startsWith('#') ? target : `#${source.namespace}${target}`;
  return source.find(reference).kind === 'local';
}

function lastStep(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** What a schema says of the values of a property. */
interface Limit {
  readonly texts: readonly string[];
  readonly takes: (value: string) => boolean;
}

/** All that a schema, and what it is composed of, says of the property. */
function limitsOf(reference: string, property: string, source: SchemaSource): readonly Limit[] {
  return partsOf({ $ref: reference }, source)
    .flatMap((schema) => partsOf(member(member(schema, 'properties'), property) ?? null, source))
    .map(limitOf);
}

/** A schema, the parts of its `allOf`, and what references lead to, each once. */
function partsOf(schema: Json, source: SchemaSource): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const add = (given: Json): void => {
    if (!isObject(given) || found.has(given)) return;
    found.add(given);
    listMember(given, 'allOf').forEach(add);
    const reference = textMember(given, '$ref');
    const target = reference === undefined ? undefined : source.find(reference);
    if (target?.kind === 'local') add(target.schema);
  };
  add(schema);
  return [...found];
}

function limitOf(schema: JsonObject): Limit {
  const constant = member(schema, 'const');
  const named = constant === undefined ? listMember(schema, 'enum') : [constant];
  const types = [schema['type']].flat().filter((type) => type !== undefined);
  const isText = types.length === 0 || types.includes('string');
  return {
    texts: named.filter((value) => typeof value === 'string'),
    takes: (value) => isText && (named.length === 0 || named.includes(value)),
  };
}
