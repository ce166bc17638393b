import { isExclusive, kindOf } from '../../../packages/schema-reading/keywords.js';
import { isObject, type Json, type JsonObject } from '../../documents/json.js';
import { canonicalJson } from '../../kernel/canonical-json.js';
import type { Copied, SchemaCopier, Trace } from './copier.js';
import { withoutOneOf } from './openapi-keywords.js';

/** By the schema: operations share definitions of megabytes, and none is changed once it was copied. */
const lengths = new WeakMap<JsonObject, number>();

/** Measures the JSON of a copied schema. */
function lengthOf(schema: JsonObject): number {
  const known = lengths.get(schema);
  if (known !== undefined) return known;
  const length = canonicalJson(schema).length;
  lengths.set(schema, length);
  return length;
}

const DEFINITIONS = '"$defs":{},'.length;

/** Measures definitions that accept anything: what each costs at least. */
function emptyLength(pointers: Iterable<string>, { source }: SchemaCopier): number {
  let length = 0;
  for (const pointer of pointers) length += source.nameOf(pointer).length + '"":{},'.length;
  return length;
}

/**
 * Makes a copied schema stand alone: the definitions that it needs, and those need, under `$defs`, nearest first and up
 * to `maxLength` characters of JSON. What does not fit accepts anything, and a warning says so.
 */
export function standalone(root: Copied, copier: SchemaCopier, maxLength: number, at: string): JsonObject {
  const needed = new Set(root.trace.references);
  const least = DEFINITIONS + emptyLength(needed, copier);
  const fitting =
    lengthOf(root.schema) + least > maxLength
      ? prune(relax(root.schema) as JsonObject, maxLength - least)
      : root.schema;
  const traces: Trace[] = [root.trace];
  const definitions: JsonObject = {};
  let pruned = fitting !== root.schema;
  let length = lengthOf(fitting) + least;
  const seen = new Set<string>();
  let level = [...root.trace.references];
  while (level.length > 0) {
    const next: string[] = [];
    for (const pointer of level.filter((reference) => !seen.has(reference)).toSorted()) {
      seen.add(pointer);
      const { schema, trace } = copier.definition(pointer);
      const fresh = [...trace.references].filter((reference) => !needed.has(reference));
      const more = lengthOf(schema) + emptyLength(fresh, copier);
      const fits = length + more <= maxLength;
      definitions[copier.source.nameOf(pointer)] = fits ? schema : {};
      pruned ||= !fits;
      if (!fits) continue;
      length += more;
      for (const reference of fresh) needed.add(reference);
      traces.push(trace);
      next.push(...trace.references);
    }
    level = [...new Set(next)];
  }
  if (pruned) {
    copier.warnings.warn(
      'schema_pruned',
      at,
      `The schema is longer than ${String(Math.round(maxLength / 1024))} KiB; its deeper parts accept anything.`,
    );
  }
  const loose = pruned || traces.some((trace) => trace.loose);
  const schema = Object.keys(definitions).length > 0 ? { ...fitting, $defs: definitions } : fitting;
  return loose && traces.some((trace) => trace.exclusive) ? (relax(schema) as JsonObject) : schema;
}

/**
 * Makes a schema in which nothing accepts less because a part of it was made to accept more: `oneOf` becomes `anyOf`, and
 * keywords that turn a schema round are left out.
 */
function relax(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const relaxed: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (turnsRound(keyword) && !isNever(keyword, value)) continue;
    relaxed[keyword] = mapSchemas(keyword, value, relax);
  }
  return withoutOneOf(relaxed);
}

function turnsRound(keyword: string): boolean {
  return (isExclusive(keyword) && keyword !== 'oneOf') || keyword === 'then' || keyword === 'else';
}

/** `{"not": {}}`, which nothing satisfies, was not made so by leaving something out. */
function isNever(keyword: string, value: Json): boolean {
  return keyword === 'not' && isObject(value) && Object.keys(value).length === 0;
}

/** Changes the schemas in the value of a keyword. */
function mapSchemas(keyword: string, value: Json, change: (schema: Json) => Json): Json {
  const kind = keyword === '$defs' ? 'namedSchemas' : kindOf(keyword);
  if (kind === 'schema') return change(value);
  if (kind === 'schemas' && Array.isArray(value)) return value.map(change);
  if (kind === 'namedSchemas' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, change(schema)]));
  }
  return value;
}

/** Levels tried, from the deepest. */
const LEVELS = [12, 8, 6, 4, 3, 2, 1];

/** Cuts a schema down to a length: what lies deeper than a level accepts anything; at last only names are left. */
function prune(schema: JsonObject, maxLength: number): JsonObject {
  for (const level of LEVELS) {
    const cut = cutBelow(schema, level) as JsonObject;
    if (JSON.stringify(cut).length <= maxLength) return cut;
  }
  const { properties, required } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const bare: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    ...(required === undefined ? {} : { required }),
  };
  return JSON.stringify(bare).length <= maxLength ? bare : { type: 'object' };
}

function cutBelow(schema: Json, level: number): Json {
  if (!isObject(schema)) return schema;
  if (level === 0) return {};
  const cut = (inner: Json): Json => cutBelow(inner, level - 1);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapSchemas(keyword, value, cut)]),
  );
}
