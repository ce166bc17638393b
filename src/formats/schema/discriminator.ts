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
 * Lists the values that stand for a branch: those that the mapping has for it, else the name of its schema. None where it is
 * no reference, or names other values itself: then the discriminator is not to be trusted.
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
  return values.every((value) => couldBe(value, { reference, property }, source)) ? values : [];
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

/** False where a schema, or what it is composed of, says that the property has other values. */
function couldBe(
  value: string,
  { reference, property }: { readonly reference: string; readonly property: string },
  source: SchemaSource,
): boolean {
  const seen = new Set<Json>();
  const holds = (given: Json, isMet: (schema: JsonObject) => boolean): boolean => {
    if (!isObject(given) || seen.has(given)) return true;
    seen.add(given);
    const next = textMember(given, '$ref');
    const target = next === undefined ? undefined : source.find(next);
    return (
      isMet(given) &&
      listMember(given, 'allOf').every((part) => holds(part, isMet)) &&
      (target?.kind !== 'local' || holds(target.schema, isMet))
    );
  };
  const isTaken = (own: JsonObject): boolean => {
    const constant = member(own, 'const');
    const named = constant === undefined ? listMember(own, 'enum') : [constant];
    const types = [own['type']].flat().filter((type) => type !== undefined);
    return (named.length === 0 || named.includes(value)) && (types.length === 0 || types.includes('string'));
  };
  return holds({ $ref: reference }, (schema) =>
    holds(member(member(schema, 'properties'), property) ?? null, isTaken),
  );
}
