import { isAnnotation } from '../../../packages/schema-reading/keywords.js';
import { isObject, type Json, type JsonObject } from '../../documents/json.js';
import { MAX_ITEMS } from '../../documents/limits.js';

/** Definitions of no more values and characters than this that refer to nothing are written where they are used. */
const LEAF_NODES = 24;
const LEAF_LENGTH = 500;

/** The keyword of a schema with a list of more items than are kept, in its value or beneath; not in schemas within. */
export function longList(schema: JsonObject): string | undefined {
  const isLong = (value: Json, inner: boolean): boolean => {
    if (Array.isArray(value))
      return value.length > MAX_ITEMS || (inner && value.some((item) => isLong(item, true)));
    return inner && isObject(value) && Object.values(value).some((member) => isLong(member, true));
  };
  return Object.keys(schema).find(
    (keyword) => !isAnnotation(keyword) && isLong(schema[keyword] ?? null, holdsValues.has(keyword)),
  );
}

const holdsValues = new Set(['const', 'enum']);

/** A small schema without references: an enum, a formatted text. */
export function isLeaf(schema: Json): boolean {
  let nodes = 0;
  let length = 0;
  const holdsNone = (value: Json): boolean => {
    if (typeof value === 'string') length += value.length;
    if (++nodes > LEAF_NODES || length > LEAF_LENGTH) return false;
    if (typeof value !== 'object' || value === null) return true;
    return Object.entries(value).every(
      ([key, inner]) => key !== '$ref' && key !== '$dynamicRef' && holdsNone(inner),
    );
  };
  return holdsNone(schema);
}
