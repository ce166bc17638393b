import { isObject, type Json, type JsonObject } from '../../documents/json.js';

/** Keywords whose schemas speak of the same object. */
const IN_PLACE = new Set(['if', 'then', 'else', 'not']);
const IN_PLACE_LISTS = new Set(['allOf', 'anyOf', 'oneOf']);

/** Gives arguments other names wherever the schema of all of them speaks of one; schemas within an argument stay. */
export function withNames(schema: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const rename = (name: Json): Json => (typeof name === 'string' ? (names.get(name) ?? name) : name);
  const keys = (value: Json, change: (inner: Json) => Json = (inner) => inner): Json =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [names.get(name) ?? name, change(inner)]),
        )
      : value;
  const list = (value: Json): Json => (Array.isArray(value) ? value.map(rename) : value);
  const inner = (value: Json): Json => (isObject(value) ? withNames(value, names) : value);
  const changed = (keyword: string, value: Json): Json => {
    if (keyword === 'properties' || keyword === 'default') return keys(value);
    if (keyword === 'required') return list(value);
    if (keyword === 'dependentRequired') return keys(value, list);
    if (keyword === 'dependentSchemas') return keys(value, inner);
    if (keyword === 'examples') return Array.isArray(value) ? value.map((example) => keys(example)) : value;
    if (IN_PLACE.has(keyword)) return inner(value);
    return IN_PLACE_LISTS.has(keyword) && Array.isArray(value) ? value.map(inner) : value;
  };
  // A rule for names is one for the API's own.
  const entries = Object.entries(schema).filter(([keyword]) => keyword !== 'propertyNames');
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, changed(keyword, value)]));
}
