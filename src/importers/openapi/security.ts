import type { ImportedScope } from '../imported.js';
import {
  entriesOf,
  isObject,
  member,
  objectMember,
  textMember,
  type Json,
  type JsonObject,
} from '../../documents/json.js';

/**
 * The security requirements of an operation, else of the document, each alternative once. They are shown and handed to
 * gateways; nothing is decided by them here.
 */
export function scopesOf(root: JsonObject, operation: JsonObject): readonly (readonly ImportedScope[])[] {
  const requirements = member(operation, 'security') ?? member(root, 'security');
  if (!Array.isArray(requirements)) return [];
  const sets = requirements.filter(isObject).map((requirement) => neededBy(requirement, root));
  return [...new Map(sets.map((needed) => [JSON.stringify(needed), needed])).values()];
}

function neededBy(requirement: JsonObject, root: JsonObject): readonly ImportedScope[] {
  return entriesOf(requirement)
    .map(([scheme, list]) => readScheme(scheme, list, root))
    .toSorted((a, b) => (a.scheme < b.scheme ? -1 : 1));
}

function readScheme(scheme: string, list: Json, root: JsonObject): ImportedScope {
  const named = Array.isArray(list) ? list.filter((scope) => typeof scope === 'string') : [];
  const scopes = [...new Set(named.filter((scope) => scope.trim() !== ''))].sort();
  const known = descriptionsOf(scheme, root);
  const told = scopes.map((scope) => [scope, known.get(scope) ?? '']).filter(([, text]) => text !== '');
  const descriptions = Object.fromEntries(told) as Record<string, string>;
  return { scheme, scopes, ...(told.length > 0 && { descriptions }) };
}

/** OpenAPI 3 describes scopes by flow, 2.0 by scheme. */
function descriptionsOf(scheme: string, root: JsonObject): ReadonlyMap<string, string> {
  const schemes = objectMember(member(root, 'components'), 'securitySchemes') ?? root['securityDefinitions'];
  const found = objectMember(schemes, scheme);
  const flows = entriesOf(objectMember(found, 'flows')).map(([, flow]) => flow);
  const lists = [found, ...flows].map((holder) => objectMember(holder, 'scopes') ?? {});
  const described = lists.flatMap((scopes) =>
    Object.keys(scopes).map((scope) => [scope, textMember(scopes, scope)] as const),
  );
  return new Map(described.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
