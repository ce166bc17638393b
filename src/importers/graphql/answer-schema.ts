import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  type GraphQLOutputType,
} from 'graphql';
import type { Json, JsonObject } from '../../documents/json.js';
import type { Selected } from './selection.js';
import { leafSchema } from './type-schemas.js';

/** What the selected parts of a field answer. Whatever is not required may be null, or missing in another type. */
export function answerSchema(type: GraphQLOutputType, parts: readonly Selected[]): JsonObject {
  if (isNonNullType(type)) return presentSchema(type.ofType, parts);
  const schema = presentSchema(type, parts);
  if (typeof schema['type'] === 'string') return { ...schema, type: [schema['type'], 'null'] };
  return schema['$ref'] === undefined ? schema : { anyOf: [schema, { type: 'null' }] };
}

function presentSchema(type: GraphQLOutputType, parts: readonly Selected[]): JsonObject {
  if (isNonNullType(type)) return presentSchema(type.ofType, parts);
  if (isListType(type)) return { type: 'array', items: answerSchema(type.ofType, parts) };
  const named = getNamedType(type);
  if (isEnumType(named)) return { $ref: `#/definitions/${named.name}` };
  if (parts.length > 0) return objectSchema(parts);
  return isCompositeType(named) ? { type: 'object' } : leafSchema(named.name, named.description);
}

function objectSchema(parts: readonly Selected[]): JsonObject {
  const properties = parts.map(({ field, parts: inner = [] }): [string, Json] => [
    field.name,
    { ...answerSchema(field.type, inner), ...(field.description ? { description: field.description } : {}) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
