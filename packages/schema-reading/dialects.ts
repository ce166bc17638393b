import { isObject, type Json, type JsonObject } from './json.js';

/**
 * Reads one schema object of an older dialect as JSON Schema 2020-12: the drafts 4 to 7 of MCP servers, OpenAPI
 * 2.0 and 3.0 (`nullable`, boolean `exclusiveMinimum`, `example`, `format: binary`), and 3.1 written by habit of
 * 3.0. Only the object itself changes, not the schemas in it; the given one stays as it is.
 */
export function modernise(schema: JsonObject): JsonObject {
  const modern = { ...schema };
  exclusiveBound(modern, 'exclusiveMinimum', 'minimum');
  exclusiveBound(modern, 'exclusiveMaximum', 'maximum');
  example(modern);
  tuple(modern);
  dependencies(modern);
  binary(modern);
  return nullable(modern);
}

function exclusiveBound(schema: JsonObject, exclusive: string, inclusive: string): void {
  if (typeof schema[exclusive] !== 'boolean') return;
  const isExclusive = schema[exclusive];
  const bound = schema[inclusive];
  if (isExclusive && bound !== undefined) {
    schema[exclusive] = bound;
    Reflect.deleteProperty(schema, inclusive);
  } else Reflect.deleteProperty(schema, exclusive);
}

function example(schema: JsonObject): void {
  if (schema['example'] !== undefined && schema['examples'] === undefined)
    schema['examples'] = [schema['example']];
}

/** Before 2020-12 `items` could be a list, and `additionalItems` what came after it. */
function tuple(schema: JsonObject): void {
  if (!Array.isArray(schema['items'])) return;
  schema['prefixItems'] = schema['items'];
  delete schema['items'];
  if (schema['additionalItems'] !== undefined) schema['items'] = schema['additionalItems'];
}

function dependencies(schema: JsonObject): void {
  if (!isObject(schema['dependencies'])) return;
  const all = Object.entries(schema['dependencies']);
  const names = all.filter(([, value]) => Array.isArray(value));
  const schemas = all.filter(([, value]) => !Array.isArray(value));
  if (names.length > 0) schema['dependentRequired'] ??= Object.fromEntries(names);
  if (schemas.length > 0) schema['dependentSchemas'] ??= Object.fromEntries(schemas);
}

/** JSON has no bytes: what is binary on the wire is an argument in base64. */
function binary(schema: JsonObject): void {
  const { type, format } = schema;
  if (type === 'file' || format === 'binary') schema['contentMediaType'] ??= 'application/octet-stream';
  else if (format !== 'byte' && format !== 'base64') return;
  if (type === 'file' || type === undefined) schema['type'] = 'string';
  delete schema['format'];
  schema['contentEncoding'] ??= 'base64';
}

function nullable(schema: JsonObject): JsonObject {
  if (schema['nullable'] !== true && schema['x-nullable'] !== true) return schema;
  const { type, $ref, allOf, ...rest } = schema;
  delete rest['nullable'];
  delete rest['x-nullable'];
  // To the letter null would have to be listed, too; nobody who says `nullable` means that it is not allowed.
  const { enum: values } = rest;
  if (Array.isArray(values) && !values.includes(null)) rest['enum'] = [...values, null];
  if (type !== undefined) {
    const types: Json[] = [...(Array.isArray(type) ? type : [type]), 'null'];
    return { ...rest, ...without({ $ref, allOf }), type: types };
  }
  if ($ref !== undefined) return { ...rest, ...without({ allOf }), anyOf: [{ $ref }, { type: 'null' }] };
  if (allOf !== undefined) return { ...rest, anyOf: [{ allOf }, { type: 'null' }] };
  return rest;
}

function without(members: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
