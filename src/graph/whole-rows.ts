/** Which JSON Schemas one row a member tells in full. Pure. */
import { memberRows, type MemberRow } from './condensed-schema.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * The members as rows where these say all that the schema says; undefined where something would be lost. Whether the
 * schema itself takes other members is left to who asks: rows have no place for it.
 */
export function wholeRows(schema: unknown): readonly MemberRow[] | undefined {
  if (!isObject(schema)) return undefined;
  const { properties = {}, ...rest } = schema;
  if (!isObject(properties)) return undefined;
  const bare = Object.entries(properties).map(([name, member]) => [name, withoutWords(member)]);
  const isWhole = isObjectWhole({ ...rest, properties: Object.fromEntries(bare) as Json }, /./);
  return isWhole ? memberRows(schema, {}, true) : undefined;
}

/** What stands in a column of its own. */
function withoutWords(member: unknown): unknown {
  if (!isObject(member)) return member;
  const { description, default: _preset, ...type } = member;
  return description === undefined || typeof description === 'string' ? type : member;
}

function isWhole(schema: unknown): boolean {
  if (!isObject(schema)) return schema === true;
  const { type, enum: values, anyOf, items = true } = schema;
  const only = (...words: readonly string[]): boolean =>
    Object.keys(schema).every((word) => words.includes(word));
  if ('const' in schema) return only('const');
  if (values !== undefined)
    return only('enum', 'type') && (type ?? 'string') === 'string' && areNames(values);
  if (anyOf !== undefined) return only('anyOf') && Array.isArray(anyOf) && anyOf.every(isWhole);
  if (type === 'array') return only('type', 'items') && isWhole(items);
  if (type === 'object') return isObjectWhole(schema, /^\w+$/);
  return type === 'string' ? only('type', 'format') : only('type');
}

function isObjectWhole(schema: Json, name: RegExp): boolean {
  const { type, properties = {}, required = [], additionalProperties = true, ...more } = schema;
  if (type !== 'object' || typeof additionalProperties !== 'boolean' || Object.keys(more).length > 0)
    return false;
  if (!isObject(properties) || !Array.isArray(required)) return false;
  const areNamed = required.every((each) => typeof each === 'string' && Object.hasOwn(properties, each));
  return areNamed && Object.entries(properties).every(([each, member]) => name.test(each) && isWhole(member));
}

/** Values that nobody takes for types, formats, numbers, or several values. */
function areNames(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === 'string' && isName(value));
}

const meantOtherwise =
  /^(string|number|integer|boolean|object|array|null|any|true|false|date|time|duration|regex|uuid|email|hostname|uri|iri|ipv4|ipv6)$/;

function isName(value: string): boolean {
  return /^[a-z_]\w*$/i.test(value) && !meantOtherwise.test(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
