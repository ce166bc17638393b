/**
 * What the makers of models refuse of a tool, read from their own documentation and errors, and not from the code that makes
 * schemas fit (docs/decisions/0102): a judge that shared its rules could not find what they forget.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type Json, type JsonObject } from '../../src/documents/json.js';

export type Provider = 'anthropic' | 'openai' | 'gemini';

export interface Refusal {
  readonly provider: Provider;
  readonly rule: string;
  /** Pointer within the input schema; empty for the root, and for the name of the tool. */
  readonly at: string;
}

export interface OfferedTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

const all: readonly Provider[] = ['anthropic', 'openai', 'gemini'];
const toolNames: Readonly<Record<Provider, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,128}$/,
  openai: /^[a-zA-Z0-9_-]{1,64}$/,
  gemini: /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/,
};
/** Of the arguments themselves; nobody looks at names further within. */
const argumentName = /^[a-zA-Z0-9_.-]{1,64}$/;
const atRoot: Readonly<Record<Provider, readonly string[]>> = {
  anthropic: ['oneOf', 'anyOf', 'allOf'],
  openai: ['oneOf', 'anyOf', 'allOf', 'not', 'enum', 'const', '$ref'],
  gemini: ['$ref'],
};

/** Keywords whose value is one schema, a list of them, and schemas by name. */
const single = ['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'];
const rare = ['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const named = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

/** What each maker refuses of one tool; empty where all take it. */
export function refusalsOf({ name, inputSchema }: OfferedTool): readonly Refusal[] {
  const refuse = (providers: readonly Provider[], rule: string, at = ''): Refusal[] =>
    providers.map((provider) => ({ provider, rule, at }));
  const badName = all.filter((provider) => !toolNames[provider].test(name));
  const names = Object.keys(isObject(inputSchema['properties']) ? inputSchema['properties'] : {});
  const composed = all.flatMap((provider) =>
    atRoot[provider]
      .filter((keyword) => inputSchema[keyword] !== undefined)
      .flatMap((keyword) => refuse([provider], `${keyword} at the root`)),
  );
  const isSchema = ajv.validateSchema(inputSchema) === true;
  return [
    ...refuse(badName, 'name of the tool'),
    ...names
      .filter((each) => !argumentName.test(each))
      .flatMap((each) => refuse(['anthropic'], 'name of an argument', `/properties/${each}`)),
    ...(inputSchema['type'] === 'object' ? [] : refuse(all, 'the root is no object')),
    ...composed,
    ...(isSchema ? [] : refuse(all, `no schema of draft 2020-12: ${ajv.errorsText(ajv.errors)}`)),
    ...schemasWithin(inputSchema).flatMap(([at, schema]) =>
      faultsOfSchema(schema, inputSchema).flatMap(([rule, providers]) => refuse(providers, rule, at)),
    ),
  ];
}

type Fault = readonly [rule: string, providers: readonly Provider[]];

function faultsOfSchema(schema: JsonObject, root: JsonObject): readonly Fault[] {
  const { type, items, enum: listed, $ref } = schema;
  const types = Array.isArray(type) ? type : [type];
  const faults: Fault[] = [];
  if (types.includes('array') && items === undefined && schema['prefixItems'] === undefined)
    faults.push(['an array without items', ['openai', 'gemini']]);
  if (Array.isArray(listed) && listed.length === 0) faults.push(['an enum without values', all]);
  if (typeof $ref === 'string' && targetOf($ref, root) === undefined)
    faults.push(['a reference that leads nowhere', all]);
  if (isCircleInPlace(schema, root)) faults.push(['a circle of allOf, anyOf, oneOf or $ref alone', all]);
  if (needsItself(schema, root)) faults.push(['a circle of required members', all]);
  if (numbersOf(schema).some(isInexact)) faults.push(['a number that JSON does not carry exactly', all]);
  return faults;
}

/** Every schema within one, with its place; the root first. */
export function schemasWithin(schema: Json, at = ''): readonly (readonly [string, JsonObject])[] {
  if (!isObject(schema)) return [];
  const inner: (readonly [string, Json])[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const place = `${at}/${keyword}`;
    if (single.includes(keyword) || rare.includes(keyword)) inner.push([place, value]);
    else if (lists.includes(keyword) && Array.isArray(value))
      inner.push(...value.map((each, index) => [`${place}/${String(index)}`, each] as const));
    else if (named.includes(keyword) && isObject(value))
      inner.push(...Object.entries(value).map(([name, each]) => [`${place}/${name}`, each] as const));
  }
  return [[at, schema], ...inner.flatMap(([place, value]) => schemasWithin(value, place))];
}

export function targetOf(reference: string, root: JsonObject): JsonObject | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  const steps = decodeURIComponent(reference.slice(2))
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  let found: unknown = root;
  for (const step of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return isObject(found) ? found : undefined;
}

/** The schemas that speak of the same value as this one, without going further. */
function inPlace(schema: JsonObject, root: JsonObject): readonly JsonObject[] {
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) =>
    Array.isArray(schema[keyword]) ? schema[keyword] : [],
  );
  const target = typeof schema['$ref'] === 'string' ? targetOf(schema['$ref'], root) : undefined;
  return [target, ...parts].filter(isObject);
}

/** A validator that follows such a circle never ends. */
function isCircleInPlace(schema: JsonObject, root: JsonObject): boolean {
  const seen = new Set<JsonObject>();
  const waiting = [...inPlace(schema, root)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === schema) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...inPlace(next, root));
  }
  return false;
}

/** What must be there, where this schema is: required members, the first items of a list that needs some, and what is in place. */
function needed(schema: JsonObject, root: JsonObject): readonly JsonObject[] {
  const { type, properties, required, items, minItems } = schema;
  // Where something else than an object or a list will do, nothing within is needed.
  if (Array.isArray(type) && type.length > 1) return [];
  const members = isObject(properties) && Array.isArray(required) ? required : [];
  const known = members.map((name) =>
    typeof name === 'string' && Object.hasOwn(properties as object, name)
      ? (properties as JsonObject)[name]
      : undefined,
  );
  const listed = typeof minItems === 'number' && minItems > 0 ? [items] : [];
  const parts = Array.isArray(schema['allOf']) ? schema['allOf'] : [];
  const target = typeof schema['$ref'] === 'string' ? targetOf(schema['$ref'], root) : undefined;
  const choices = ['anyOf', 'oneOf'].flatMap((keyword) => {
    const branches = schema[keyword];
    return Array.isArray(branches) && branches.length === 1 ? branches : [];
  });
  return [...known, ...listed, ...parts, target, ...choices].filter(isObject);
}

function needsItself(schema: JsonObject, root: JsonObject): boolean {
  if (!Array.isArray(schema['required'])) return false;
  const seen = new Set<JsonObject>();
  const waiting = [...needed(schema, root)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next === schema) return true;
    if (seen.has(next)) continue;
    seen.add(next);
    waiting.push(...needed(next, root));
  }
  return false;
}

const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];

function numbersOf(schema: JsonObject): readonly number[] {
  const found: Json[] = [...limits, ...counts].map((keyword) => schema[keyword] ?? null);
  const values = Array.isArray(schema['enum']) ? schema['enum'] : [];
  return [...found, ...values, schema['const'] ?? null, schema['default'] ?? null].filter(
    (value) => typeof value === 'number',
  );
}

/** Other readers of JSON have 64-bit integers, or none so large: what is written and what we mean by it must be the same one. */
function isInexact(value: number): boolean {
  if (!Number.isFinite(value)) return true;
  const written = JSON.stringify(value);
  return /^-?\d+$/.test(written) && BigInt(written) !== BigInt(value);
}
