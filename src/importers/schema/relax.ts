import { isObject, type Json, type JsonObject } from '../../documents/json.js';
import { isExclusive, kindOf } from '../../../packages/schema-reading/keywords.js';

/**
 * A schema in which nothing accepts less because a part of it was made to accept more: `oneOf` becomes `anyOf`, and
 * keywords that turn a schema round are left out.
 */
export function relax(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const relaxed: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (turnsRound(keyword) && !isNever(keyword, value)) continue;
    const kind = keyword === '$defs' ? 'namedSchemas' : kindOf(keyword);
    relaxed[keyword] = relaxValue(kind, value);
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

function relaxValue(kind: ReturnType<typeof kindOf>, value: Json): Json {
  if (kind === 'schema') return relax(value);
  if (kind === 'schemas' && Array.isArray(value)) return value.map(relax);
  if (kind === 'namedSchemas' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, relax(schema)]));
  }
  return value;
}

/** What `oneOf` accepts, and what several of its branches accept. */
export function withoutOneOf(schema: JsonObject): JsonObject {
  if (schema['oneOf'] === undefined) return schema;
  const { oneOf, ...rest } = schema;
  if (rest['anyOf'] === undefined) return { ...rest, anyOf: oneOf };
  const allOf = Array.isArray(rest['allOf']) ? rest['allOf'] : [];
  return { ...rest, allOf: [...allOf, { anyOf: oneOf }] };
}
