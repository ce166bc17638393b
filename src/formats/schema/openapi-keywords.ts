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
import type { SchemaSource } from './source.js';

/** What a schema is copied for: to describe what is sent, what comes back, or just as it is. */
export type Direction = 'input' | 'output' | 'both';

/** Finds the properties that do not concern a direction: `readOnly` ones of inputs, `writeOnly` ones of outputs. */
export class HiddenProperties {
  private readonly flag: string | undefined;

  constructor(
    private readonly source: SchemaSource,
    direction: Direction,
  ) {
    this.flag = direction === 'both' ? undefined : direction === 'input' ? 'readOnly' : 'writeOnly';
  }

  /** Names those of an object, of the schemas that it is made of (`allOf`, `$ref`), and of what it is a part of. */
  of(schema: JsonObject, above: ReadonlySet<string> = new Set()): ReadonlySet<string> {
    const concerned = 'properties' in schema || 'required' in schema || 'allOf' in schema;
    if (this.flag === undefined || !concerned) return above;
    const names = new Set(above);
    this.collect(schema, names, new Set());
    return names;
  }

  private collect(schema: Json, names: Set<string>, seen: Set<Json>): void {
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    for (const [name, property] of entriesOf(schema['properties']))
      if (this.isHidden(property)) names.add(name);
    for (const part of listMember(schema, 'allOf')) this.collect(part, names, seen);
    this.collect(this.target(schema) ?? null, names, seen);
  }

  private isHidden(property: Json): boolean {
    const flag = this.flag as string;
    const says = (schema: Json | undefined) => member(schema, flag) === true;
    return (
      says(property) ||
      says(this.target(property)) ||
      listMember(property, 'allOf').some((part) => says(part) || says(this.target(part)))
    );
  }

  private target(schema: Json): Json | undefined {
    const reference = member(schema, '$ref');
    if (typeof reference !== 'string') return undefined;
    const target = this.source.find(reference);
    return target.kind === 'local' ? target.schema : undefined;
  }
}

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
