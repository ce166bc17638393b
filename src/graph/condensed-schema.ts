/** Condenses JSON Schemas for models: one row a member, types as TypeScript writes them. Pure. */
import { isObject } from '../documents/json.js';

type Json = Readonly<Record<string, unknown>>;

interface MemberRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly meaning: string;
}

/**
 * @param named types that are described elsewhere: name of the member to the name of its type
 * @param exact adds `[k: string]: never` to objects that take no other members
 */
export function memberRows(
  schema: unknown,
  named: Readonly<Record<string, string>> = {},
  exact = false,
): MemberRow[] {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Json;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, member]) => {
    const { description = '', default: preset } = member as {
      readonly description?: string;
      readonly default?: unknown;
    };
    const fallback = preset === undefined ? '' : `Default ${JSON.stringify(preset)}.`;
    const meaning = [description, fallback].filter((part) => part !== '').join(' ');
    return { name, type: named[name] ?? typeText(member, exact), required: required.includes(name), meaning };
  });
}

/** Writes a type: `uuid`, `raw|llm`, `{id: string; columns?: "*"|string[]}[]`, … */
export function typeText(schema: unknown, exact = false): string {
  if (typeof schema !== 'object' || schema === null) return 'any';
  const { const: only, enum: values, anyOf, type, items, format } = schema as Json;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map(String).join('|');
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((one) => typeText(one, exact)))].join('|');
  if (Array.isArray(type)) return type.join('|');
  if (type === 'array') return listText(typeText(items, exact));
  if (type === 'object') return objectText(schema, exact);
  if (typeof format === 'string') return format;
  return typeof type === 'string' ? type : 'any';
}

function listText(item: string): string {
  return item.includes('|') && !item.endsWith('}') ? `(${item})[]` : `${item}[]`;
}

function objectText(schema: object, exact: boolean): string {
  const members = memberRows(schema, {}, exact).map(
    ({ name, type, required }) => `${name}${required ? '' : '?'}: ${type}`,
  );
  if (exact && 'additionalProperties' in schema && schema.additionalProperties === false)
    members.push('[k: string]: never');
  return members.length === 0 ? 'object' : `{${members.join('; ')}}`;
}

/**
 * The members as rows; undefined where rows can't hold all of the schema. Whether the schema itself takes other
 * members is left to the caller.
 */
export function wholeRows(schema: unknown): readonly MemberRow[] | undefined {
  if (!isObject(schema)) return undefined;
  const { properties = {}, ...rest } = schema;
  if (!isObject(properties)) return undefined;
  const bare = Object.entries(properties).map(([name, member]) => [name, withoutDescription(member)]);
  const isWhole = isObjectWhole({ ...rest, properties: Object.fromEntries(bare) as Json }, /./);
  return isWhole ? memberRows(schema, {}, true) : undefined;
}

/** Leaves out what has a column of its own. */
function withoutDescription(member: unknown): unknown {
  if (!isObject(member)) return member;
  const { description, default: _preset, ...type } = member;
  return description === undefined || typeof description === 'string' ? type : member;
}

function isWhole(schema: unknown): boolean {
  if (!isObject(schema)) return schema === true;
  const { type, enum: values, anyOf, items = true } = schema;
  const only = (...keywords: readonly string[]): boolean =>
    Object.keys(schema).every((keyword) => keywords.includes(keyword));
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

/** Whether the values can't be mistaken for types, formats, numbers, or several values. */
function areNames(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === 'string' && isName(value));
}

const meantOtherwise =
  /^(string|number|integer|boolean|object|array|null|any|true|false|date|time|duration|regex|uuid|email|hostname|uri|iri|ipv4|ipv6)$/;

function isName(value: string): boolean {
  return /^[a-z_]\w*$/i.test(value) && !meantOtherwise.test(value);
}
