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
import type { SchemaSource } from './schema-source.js';

/**
 * OpenAPI's `discriminator` says which value of a property goes with which branch of `oneOf` or `anyOf`. JSON
 * Schema has no such keyword, so each branch that `mapping` names is given the values that stand for it.
 */
export function namedBranches(schema: JsonObject, source: SchemaSource): Partial<Record<string, Json>> {
  const discriminator = schema['discriminator'];
  const property = textMember(discriminator, 'propertyName');
  const mapping = entriesOf(member(discriminator, 'mapping'));
  if (property === undefined || mapping.length === 0) return {};
  const name = (branch: Json): Json => nameBranch(branch, property, mapping, source);
  const branches: Partial<Record<string, Json>> = {};
  for (const keyword of ['oneOf', 'anyOf']) {
    if (Array.isArray(schema[keyword])) branches[keyword] = schema[keyword].map(name);
  }
  return branches;
}

function nameBranch(
  branch: Json,
  property: string,
  mapping: readonly [string, Json][],
  source: SchemaSource,
): Json {
  const reference = textMember(branch, '$ref');
  if (reference === undefined || !isObject(branch) || Object.keys(branch).length > 1) return branch;
  const values = mapping
    .filter(([, target]) => target === reference || target === lastStep(reference))
    .map(([value]) => value)
    .sort(byCodePoint);
  if (values.length === 0 || !couldBe(source, reference, property, values)) return branch;
  const constraint: JsonObject = values.length === 1 ? { const: values[0] as string } : { enum: values };
  return { ...branch, properties: { [property]: constraint }, required: [property] };
}

function lastStep(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** False where the branch itself names other values: then the mapping is not to be trusted. */
function couldBe(
  source: SchemaSource,
  reference: string,
  property: string,
  values: readonly string[],
): boolean {
  const target = source.find(reference);
  if (target.kind !== 'local') return false;
  const own = member(member(target.schema, 'properties'), property);
  const constant = member(own, 'const');
  const named = constant === undefined ? listMember(own, 'enum') : [constant];
  return named.length === 0 || values.every((value) => named.includes(value));
}
