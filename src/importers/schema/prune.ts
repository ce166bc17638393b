import { isObject, type Json, type JsonObject } from '../../documents/json.js';
import { kindOf } from '../../../packages/schema-reading/keywords.js';

/** Levels tried, from the deepest. */
const LEVELS = [12, 8, 6, 4, 3, 2, 1];

/** Cuts a schema down to a length: what lies deeper than a level accepts anything; at last only names are left. */
export function prune(schema: JsonObject, maxLength: number): JsonObject {
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
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, cutValue(keyword, value, level)]),
  );
}

function cutValue(keyword: string, value: Json, level: number): Json {
  const kind = kindOf(keyword);
  if (kind === 'schema') return cutBelow(value, level - 1);
  if (kind === 'schemas' && Array.isArray(value)) return value.map((item) => cutBelow(item, level - 1));
  if (kind === 'namedSchemas' && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cutBelow(item, level - 1)]));
  }
  return value;
}
