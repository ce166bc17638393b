/** A schema of any dialect as an import reads it, to be compared with one that was imported. Pure. */
import { judgePattern } from './patterns.js';
import {
  allowsBoolean,
  asText,
  fits,
  isObject,
  type Json,
  type JsonObject,
  kindOf,
  meansText,
  negatesAll,
  readEnum,
  readPattern,
  readRequired,
  readType,
  withoutLeftovers,
} from './keywords.js';
import { isTooLong } from './long-numbers.js';

const definitions = ['$defs', 'definitions'] as const;
const none: ReadonlySet<string> = new Set();

/** The input schema of a tool as JSON Schema 2020-12, always of an object. References stay, and what they lead to. */
export function modernInput(schema: JsonObject): JsonObject {
  const kept = definitions.flatMap((keyword) => {
    const value = schema[keyword];
    return isObject(value) ? [[keyword, named(keyword, value)] as const] : [];
  });
  return { ...modern(rootOf(schema)), ...Object.fromEntries(kept), type: 'object' };
}

/** What is written beside the reference of a root is not looked at, as in an import. */
function rootOf(schema: JsonObject): JsonObject {
  const { $ref } = schema;
  const [, keyword = '', name = ''] =
    typeof $ref === 'string' ? (/^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref) ?? []) : [];
  const all = schema[keyword];
  const target = isObject(all) && Object.hasOwn(all, name) ? all[name] : undefined;
  return isObject(target) ? target : schema;
}

function modern(schema: Json): JsonObject {
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (!isObject(schema)) return {};
  const given = modernise(schema);
  const copy: JsonObject = {};
  for (const [keyword, value] of Object.entries(given)) {
    const read = keyword === '$ref' ? value : valueOf(keyword, value, given);
    if (read !== undefined && !negatesAll(keyword, read, value)) copy[keyword] = read;
  }
  return withoutLeftovers(copy, given);
}

function valueOf(keyword: string, value: Json, { type }: JsonObject): Json | undefined {
  if (isTooLong(keyword, value, type)) return undefined;
  if (keyword === 'type') return readType(value).value;
  if (keyword === 'enum') return readEnum(value, type).value;
  if (keyword === 'pattern') return readPattern(value).value;
  if (keyword === 'required') return readRequired(value, none).value;
  switch (kindOf(keyword)) {
    case 'schema':
      if (typeof value === 'boolean' && allowsBoolean(keyword)) return value;
      return isObject(value) || typeof value === 'boolean' ? modern(value) : undefined;
    case 'schemas':
      return Array.isArray(value) && value.length > 0 ? value.map(modern) : undefined;
    case 'namedSchemas':
      return isObject(value) ? named(keyword, value) : undefined;
    default:
      return fits(keyword, value) ? value : undefined;
  }
}

function named(keyword: string, schemas: JsonObject): JsonObject {
  const kept = Object.entries(schemas).filter(
    ([name]) => keyword !== 'patternProperties' || judgePattern(name) === 'fine',
  );
  return Object.fromEntries(kept.map(([name, schema]) => [name, modern(schema)]));
}

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
  texts(modern);
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

/** Values that show what a text may be are texts. */
function texts(schema: JsonObject): void {
  if (!meansText(schema['type'])) return;
  for (const keyword of ['default', 'const']) {
    const value = schema[keyword];
    if (value !== undefined) schema[keyword] = asText(value);
  }
  if (Array.isArray(schema['examples'])) schema['examples'] = schema['examples'].map(asText);
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
  const { nullable: _nullable, 'x-nullable': _extension, ...rest } = schema;
  // To the letter null would have to be listed, too; nobody who says `nullable` means that it is not allowed.
  const { enum: values, type } = rest;
  if (Array.isArray(values) && !values.includes(null)) rest['enum'] = [...values, null];
  const composed = ['$ref', 'allOf', 'anyOf', 'oneOf'].filter((keyword) => rest[keyword] !== undefined);
  const [only] = composed;
  const isChoice = composed.length === 1 && (only === 'anyOf' || only === 'oneOf');
  if (composed.length > 0 && !isChoice) return orNull(rest, ['type', 'discriminator', ...composed]);
  if (type !== undefined) rest['type'] = [...(Array.isArray(type) ? type : [type]), 'null'];
  const branches = rest[only ?? ''];
  if (only !== undefined && Array.isArray(branches) && !branches.some(saysNull))
    rest[only] = [...branches, { type: 'null' }];
  return rest;
}

/** Null, or what some of the keywords ask for; the others stay beside the choice. */
function orNull(schema: JsonObject, keywords: readonly string[]): JsonObject {
  const isAsked = ([keyword]: [string, Json]): boolean => keywords.includes(keyword);
  const entries = Object.entries(schema);
  const asked = Object.fromEntries(entries.filter(isAsked));
  return {
    ...Object.fromEntries(entries.filter((entry) => !isAsked(entry))),
    anyOf: [asked, { type: 'null' }],
  };
}

/** Whether a branch says itself that it may be null: `oneOf` refuses what two of its branches take. */
function saysNull(branch: Json): boolean {
  if (!isObject(branch)) return false;
  const { type } = branch;
  const isNull = type === 'null' || (Array.isArray(type) && type.includes('null'));
  return isNull || branch['nullable'] === true || branch['x-nullable'] === true;
}
