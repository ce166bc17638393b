/** What becomes of a schema of which something was left out. */
import { isObject, type Json, type JsonObject } from './json.js';

/** Keywords that lose their sense, or gain another, with what was left out beside them. */
export function withoutLeftovers(copy: JsonObject, schema: JsonObject): JsonObject {
  const kept = withoutIdleIf(copy);
  if (sizeOf(copy['patternProperties']) === sizeOf(schema['patternProperties'])) return kept;
  const { additionalProperties: _additional, unevaluatedProperties: _unevaluated, ...open } = kept;
  return open;
}

function withoutIdleIf(copy: JsonObject): JsonObject {
  const decides = copy['then'] !== undefined || copy['else'] !== undefined;
  if (copy['if'] === undefined || decides) return copy;
  const { if: _condition, ...rest } = copy;
  return rest;
}

/** A negation of what is now anything would refuse everything. */
export function negatesAll(keyword: string, copied: Json | undefined, value: Json): boolean {
  return keyword === 'not' && isEmpty(copied) && !isEmpty(value) && value !== true;
}

function isEmpty(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

function sizeOf(value: Json | undefined): number {
  return isObject(value) ? Object.keys(value).length : 0;
}
