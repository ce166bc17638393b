import { isObject, type Json } from './json.js';

/**
 * What may stand under each keyword of JSON Schema 2020-12. Keywords that are not listed (those of OpenAPI
 * alone, extensions, `$id`, anchors) do not reach a standalone schema.
 */
export type KeywordKind =
  | 'schema'
  | 'schemas'
  | 'namedSchemas'
  | 'text'
  | 'flag'
  | 'number'
  | 'count'
  | 'names'
  | 'namedNames'
  | 'value'
  | 'values';

const kinds: Readonly<Record<string, KeywordKind>> = {
  title: 'text',
  description: 'text',
  default: 'value',
  examples: 'values',
  deprecated: 'flag',
  readOnly: 'flag',
  writeOnly: 'flag',
  $comment: 'text',
  const: 'value',
  multipleOf: 'number',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  minLength: 'count',
  maxLength: 'count',
  minItems: 'count',
  maxItems: 'count',
  minContains: 'count',
  maxContains: 'count',
  minProperties: 'count',
  maxProperties: 'count',
  uniqueItems: 'flag',
  required: 'names',
  dependentRequired: 'namedNames',
  format: 'text',
  contentEncoding: 'text',
  contentMediaType: 'text',
  contentSchema: 'schema',
  properties: 'namedSchemas',
  patternProperties: 'namedSchemas',
  dependentSchemas: 'namedSchemas',
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  propertyNames: 'schema',
  items: 'schema',
  prefixItems: 'schemas',
  unevaluatedItems: 'schema',
  contains: 'schema',
  allOf: 'schemas',
  anyOf: 'schemas',
  oneOf: 'schemas',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  // MCP: mirrors the argument to a header of the request.
  'x-mcp-header': 'text',
};

const ANNOTATIONS = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
]);

/** Keywords that say something about values and refuse none. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword);
}

const EXCLUSIVE = new Set(['oneOf', 'not', 'if', 'unevaluatedProperties', 'unevaluatedItems', 'maxContains']);

/** Keywords that accept less when what stands in them accepts more. */
export function isExclusive(keyword: string): boolean {
  return EXCLUSIVE.has(keyword);
}

const BOOLEAN_ALLOWED = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
]);

/** Keywords under which `true` and `false` stay what they are; elsewhere a boolean schema is written out. */
export function allowsBoolean(keyword: string): boolean {
  return BOOLEAN_ALLOWED.has(keyword);
}

export function kindOf(keyword: string): KeywordKind | undefined {
  return Object.hasOwn(kinds, keyword) ? kinds[keyword] : undefined;
}

const isText = (value: Json): boolean => typeof value === 'string';
const isNameList = (value: Json): boolean => Array.isArray(value) && value.every(isText);

/** Whether a value may stand under a keyword that holds no schema. */
export function fits(keyword: string, value: Json): boolean {
  switch (kindOf(keyword)) {
    case 'text':
      return isText(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && (keyword !== 'multipleOf' || value > 0);
    case 'count':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0;
    case 'names':
      return isNameList(value);
    case 'namedNames':
      return isObject(value) && Object.values(value).every(isNameList);
    case 'values':
      return Array.isArray(value);
    case 'value':
      return true;
    case 'schema':
    case 'schemas':
    case 'namedSchemas':
    case undefined:
      return false;
  }
}

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);

/** Names that authors write for types, and what they mean. */
const MEANT: Readonly<Record<string, string>> = {
  int: 'integer',
  long: 'integer',
  int32: 'integer',
  int64: 'integer',
  float: 'number',
  double: 'number',
  decimal: 'number',
  bool: 'boolean',
  str: 'string',
  text: 'string',
  date: 'string',
  datetime: 'string',
  'date-time': 'string',
  uuid: 'string',
  file: 'string',
  list: 'array',
  map: 'object',
  dict: 'object',
};

/** The types meant: known ones, once each; undefined where none is meant (`any`, an empty list). */
export function typesMeant(type: Json): { types: readonly string[]; mended: boolean } {
  if (typeof type === 'string' && TYPES.has(type)) return { types: [type], mended: false };
  const given = (Array.isArray(type) ? type.flat() : [type]).map((name) => (name === null ? 'null' : name));
  const types = new Set<string>();
  let mended = false;
  for (const name of given) {
    const text = typeof name === 'string' ? name : '';
    const lower = text.toLowerCase();
    const meant = TYPES.has(lower) ? lower : Object.hasOwn(MEANT, lower) ? MEANT[lower] : undefined;
    mended ||= meant !== text;
    if (meant !== undefined) types.add(meant);
    else return { types: [], mended: true };
  }
  return { types: [...types], mended };
}
