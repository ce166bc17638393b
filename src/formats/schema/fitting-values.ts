import { kindOf } from '../../../packages/schema-reading/keywords.js';
import {
  entriesOf,
  isObject,
  member,
  objectMember,
  textsOf,
  type Json,
  type JsonObject,
} from '../../documents/json.js';
import { withFiniteDefinitions } from './fitting-recursion.js';

/** A schema made to fit, and what was changed for that. */
interface Fitted {
  readonly schema: JsonObject;
  readonly changes: readonly string[];
}

/** By the schema: operations share definitions, and none is changed once it was copied. */
const known = new WeakMap<JsonObject, Fitted>();

/** Makes every schema in one fit: arrays have items, and nothing is asked for that no value can be. */
export function fitValues(schema: JsonObject, changes: Set<string>): JsonObject {
  const { schema: fitted, changes: made } = fit(schema);
  for (const change of made) changes.add(change);
  return withFiniteDefinitions(fitted, changes);
}

function fit(schema: JsonObject): Fitted {
  const done = known.get(schema);
  if (done !== undefined) return done;
  const changes: string[] = [];
  const inner = (value: Json): Json => {
    if (!isObject(value)) return value;
    const fitted = fit(value);
    changes.push(...fitted.changes);
    return fitted.schema;
  };
  const entries = Object.entries(schema);
  const changed = entries.map(([keyword, value]): [string, Json] => [keyword, mapped(keyword, value, inner)]);
  const isSame = changed.every(([, value], index) => value === entries[index]?.[1]);
  const fitted = mended(isSame ? schema : Object.fromEntries(changed), changes);
  const result = { schema: fitted, changes: [...new Set(changes)] };
  known.set(schema, result);
  return result;
}

/** Keywords in which what accepts more makes the whole accept less. */
const TURNED = new Set(['not', 'if']);

/** Changes the schemas in the value of a keyword; the value itself where none of them changes. */
function mapped(keyword: string, value: Json, change: (schema: Json) => Json): Json {
  if (TURNED.has(keyword)) return value;
  const kind = keyword === '$defs' ? 'namedSchemas' : kindOf(keyword);
  if (kind === 'schema') return change(value);
  if (kind === 'schemas' && Array.isArray(value)) {
    const all = value.map(change);
    return all.every((schema, index) => schema === value[index]) ? value : all;
  }
  if (kind !== 'namedSchemas' || !isObject(value)) return value;
  const all = Object.entries(value).map(([name, schema]): [string, Json] => [name, change(schema)]);
  return all.every(([name, schema]) => schema === value[name]) ? value : Object.fromEntries(all);
}

/** The rules for one schema, in their order; each gives the schema itself where it has nothing to change. */
function mended(schema: JsonObject, changes: string[]): JsonObject {
  return [withItems, withoutCrossedBounds, withValuesOfType, withoutNever, withPossibleNames].reduce(
    (before, rule) => rule(before, changes),
    schema,
  );
}

const typesOf = ({ type }: JsonObject): readonly Json[] =>
  Array.isArray(type) ? type : type === undefined ? [] : [type];

/** Says the same: without it any items are accepted, too. */
function withItems(schema: JsonObject): JsonObject {
  if (schema['items'] !== undefined || !typesOf(schema).includes('array')) return schema;
  const { unevaluatedItems: _, ...rest } = schema;
  return { ...rest, items: {} };
}

const bounds = [
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
  ['minimum', 'maximum'],
  ['exclusiveMinimum', 'maximum'],
  ['minimum', 'exclusiveMaximum'],
  ['exclusiveMinimum', 'exclusiveMaximum'],
] as const;

function withoutCrossedBounds(schema: JsonObject, changes: string[]): JsonObject {
  const crossed = bounds.filter(([least, greatest]) => {
    const [low, high] = [schema[least], schema[greatest]];
    if (typeof low !== 'number' || typeof high !== 'number') return false;
    return low > high || (low === high && (least + greatest).includes('exclusive'));
  });
  if (crossed.length === 0) return schema;
  for (const [least, greatest] of crossed) changes.push(`${least} and ${greatest} exclude each other`);
  const left = new Set<string>(crossed.flat());
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !left.has(keyword)));
}

function kindOfValue(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function isOfType(value: Json, types: readonly Json[]): boolean {
  const kind = kindOfValue(value);
  return types.includes(kind) || (kind === 'number' && Number.isInteger(value) && types.includes('integer'));
}

/** Where no listed value but null is of the type, the values are what was meant: numbers are often quoted. */
function withValuesOfType(schema: JsonObject, changes: string[]): JsonObject {
  const types = typesOf(schema);
  const { enum: listed, const: only } = schema;
  const values = Array.isArray(listed) ? listed : only === undefined ? [] : [only];
  const others = values.filter((value) => value !== null);
  const judged = others.length > 0 ? others : values;
  if (types.length === 0 || values.length === 0 || judged.some((value) => isOfType(value, types)))
    return schema;
  const kinds = [...new Set(values.map(kindOfValue))];
  if (kinds.some((kind) => kind === 'object' || kind === 'array')) return schema;
  changes.push(`none of the values ${JSON.stringify(values).slice(0, 100)} is of the type beside them`);
  return { ...schema, type: kinds.length === 1 ? (kinds[0] as string) : kinds };
}

/** What refuses every value, which is how `false` is written. */
const isNever = (schema: Json | undefined): boolean =>
  isObject(schema) && isObject(schema['not']) && Object.keys(schema['not']).length === 0;

/** What must be given and takes no value takes any. */
function withoutNever(schema: JsonObject, changes: string[]): JsonObject {
  const properties = objectMember(schema, 'properties') ?? {};
  const never = textsOf(schema, 'required').filter((name) => isNever(member(properties, name)));
  if (never.length === 0) return schema;
  for (const name of never) changes.push(`"${name.slice(0, 80)}" is required and takes no value`);
  return { ...schema, properties: { ...properties, ...Object.fromEntries(never.map((name) => [name, {}])) } };
}

/** Leaves out names that are required and can't be given, since the object takes no others than it lists. */
function withPossibleNames(schema: JsonObject, changes: string[]): JsonObject {
  if (schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined) return schema;
  const possible = new Set(entriesOf(schema['properties']).map(([name]) => name));
  const required = textsOf(schema, 'required');
  const missing = required.filter((name) => !possible.has(name));
  if (missing.length === 0) return schema;
  for (const name of missing) changes.push(`"${name.slice(0, 80)}" is required and not among the properties`);
  const left = required.filter((name) => possible.has(name));
  const { required: _, ...rest } = schema;
  return left.length === 0 ? rest : { ...rest, required: left };
}
