/** What becomes of a schema of which something was left out. */
import { judgePattern, mendPattern } from './patterns.js';

/** Plain JSON. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

/** Whether the keyword accepts fewer values when its subschema accepts more, as `not` does. */
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

/** What became of a keyword's value: what to keep of it, if anything, and what to tell its author. */
export interface Mended {
  readonly value?: Json;
  readonly fault?: { readonly code: 'schema_mended' | 'pattern_dropped'; readonly detail: string };
}

function mended(detail: string, value?: Json): Mended {
  return { ...(value === undefined ? {} : { value }), fault: { code: 'schema_mended', detail } };
}

export function readType(value: Json): Mended {
  const { types, mended: wasMended } = typesMeant(value);
  const read = types.length > 1 ? [...types] : types[0];
  if (wasMended) return mended('This type is none of JSON Schema; the one meant was taken, or any.', read);
  return read === undefined ? {} : { value: read };
}

/** @param type of the same schema: where it is text alone, numbers are texts that YAML took for numbers */
export function readEnum(value: Json, type: Json | undefined): Mended {
  if (!Array.isArray(value) || value.length === 0)
    return mended('This is no list of values; it was left out.');
  const values = meansText(type) ? value.map(asText) : value;
  const distinct = [...new Map(values.map((item) => [JSON.stringify(item), item])).values()];
  return values.every((item, index) => item === value[index])
    ? { value: distinct }
    : mended('Values that are no texts were read as texts, since the type is string. Quote them.', distinct);
}

/** Whether values of the type are texts alone, or null. */
export function meansText(type: Json | undefined): boolean {
  const { types } = typesMeant(type ?? null);
  return types.includes('string') && types.every((name) => name === 'string' || name === 'null');
}

/** Reads a number or a flag where a text is meant: YAML took it for one. */
export function asText(value: Json): Json {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

export function readRequired(value: Json, hidden: ReadonlySet<string>): Mended {
  // `required: true` beside a property's type is a habit of old drafts: it says nothing here.
  if (typeof value === 'boolean') return {};
  if (!Array.isArray(value)) return mended('This is no list of names; it was left out.');
  const names = new Set(value.map(asText).filter((name) => typeof name === 'string' && !hidden.has(name)));
  return names.size > 0 ? { value: [...names] } : {};
}

export function readPattern(value: Json): Mended {
  const verdict = typeof value === 'string' ? judgePattern(value) : 'invalid';
  if (verdict === 'fine') return { value };
  const usable = verdict === 'invalid' && typeof value === 'string' ? mendPattern(value) : undefined;
  return usable === undefined ? { fault: patternFault } : { value: usable };
}

export const patternFault = {
  code: 'pattern_dropped',
  detail: 'This regular expression is invalid (ECMA-262, Unicode) or could run for ever; it was left out.',
} as const;

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
