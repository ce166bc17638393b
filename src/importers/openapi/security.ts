import type { Json, JsonObject } from '../imported.js';
import { isObject, member } from '../json-reading.js';

/**
 * Security requirements as any-of sets of scopes. Alternatives that name no scope (an API key) ask for something else
 * than scopes and are left out; where an alternative is nothing at all, no scope is required.
 */
export function scopesOf(root: JsonObject, operation: JsonObject): readonly (readonly string[])[] {
  const requirements = member(operation, 'security') ?? member(root, 'security');
  if (!Array.isArray(requirements)) return [];
  const alternatives = requirements.filter(isObject).map(namedScopes);
  if (requirements.some((requirement) => isObject(requirement) && Object.keys(requirement).length === 0))
    return [];
  const sets = new Map(
    alternatives.filter((scopes) => scopes.length > 0).map((scopes) => [JSON.stringify(scopes), scopes]),
  );
  return [...sets.values()];
}

function namedScopes(requirement: JsonObject): readonly string[] {
  const scopes = Object.values(requirement).flatMap((list: Json) => (Array.isArray(list) ? list : []));
  return [
    ...new Set(scopes.filter((scope) => typeof scope === 'string' && scope.trim() !== '')),
  ].toSorted() as string[];
}
