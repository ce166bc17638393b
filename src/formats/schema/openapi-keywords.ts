import { entriesOf, isObject, listMember, member, type Json, type JsonObject } from '../../documents/json.js';
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

/** What `oneOf` accepts, and what several of its branches accept. */
export function withoutOneOf(schema: JsonObject): JsonObject {
  if (schema['oneOf'] === undefined) return schema;
  const { oneOf, ...rest } = schema;
  if (rest['anyOf'] === undefined) return { ...rest, anyOf: oneOf };
  const allOf = Array.isArray(rest['allOf']) ? rest['allOf'] : [];
  return { ...rest, allOf: [...allOf, { anyOf: oneOf }] };
}
