/** Makes a value of a schema: awkward where the schema leaves it open, so that what is not encoded shows. */
import fc from 'fast-check';
import { isObject, type Json, type JsonObject } from '../../src/documents/json.js';
import { targetOf } from './provider-rules.js';

export interface Wanted {
  readonly root: JsonObject;
  /** Whether what may be left out is given. */
  readonly kind: 'least' | 'all';
  /** Which of several alternatives, and which of the listed values. */
  readonly variant: number;
  /** Whether texts keep to letters, for places that take few others. */
  readonly isPlain: boolean;
  readonly depth: number;
  /** How many values are still made of what may be left out. */
  readonly budget: { left: number };
}

/** Beyond this depth nothing is given that may be left out, and beyond the last nothing at all. */
const DEEP = 4;
const DEEPEST = 24;

/** Undefined where there is no value, or none that ends. */
export function valueOf(given: Json | undefined, wanted: Wanted): Json | undefined {
  if (given === false || wanted.depth > DEEPEST) return undefined;
  if (!isObject(given)) return freeText(wanted);
  const schema = flattened(given, wanted);
  if (schema === undefined) return undefined;
  if (schema['const'] !== undefined) return schema['const'];
  if (Array.isArray(schema['enum'])) return ofListed(schema['enum'], wanted);
  switch (typeIn(schema, wanted)) {
    case 'object':
      return objectOf(schema, wanted);
    case 'array':
      return arrayOf(schema, wanted);
    case 'integer':
    case 'number':
      return numberOf(schema, wanted);
    case 'boolean':
      return wanted.variant % 2 === 0;
    case 'null':
      return null;
    default:
      return textOf(schema, wanted);
  }
}

function ofListed(values: readonly Json[], { variant }: Wanted): Json | undefined {
  const some = values.filter((value) => value !== null);
  return some.length === 0 ? values[0] : some[variant % some.length];
}

function typeIn({ type, ...schema }: JsonObject, { variant }: Wanted): Json | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== undefined);
  const some = types.filter((each) => each !== 'null');
  if (types.length > 0 && some.length === 0) return 'null';
  if (some.length > 0) return some[variant % some.length];
  if (schema['properties'] !== undefined || schema['additionalProperties'] !== undefined) return 'object';
  if (schema['items'] !== undefined) return 'array';
  return schema['minimum'] === undefined && schema['maximum'] === undefined ? 'string' : 'number';
}

/** A schema with what it refers to, its parts, and one of its alternatives in it. */
function flattened(schema: JsonObject, wanted: Wanted, steps = 0): JsonObject | undefined {
  if (steps > 40) return undefined;
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const parts: JsonObject[] = [];
  const target = typeof $ref === 'string' ? targetOf($ref, wanted.root) : undefined;
  const chosen = [anyOf, oneOf].map((branches) => branchOf(branches, wanted));
  const joined = [target, ...(Array.isArray(allOf) ? allOf : []), ...chosen];
  for (const part of joined) {
    const flat = isObject(part) ? flattened(part, wanted, steps + 1) : {};
    if (flat === undefined) return undefined;
    parts.push(flat);
  }
  return parts.reduce(merged, own);
}

function branchOf(branches: Json | undefined, { variant, root, depth }: Wanted): Json | undefined {
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const isNull = (branch: Json): boolean => {
    const target =
      isObject(branch) && typeof branch['$ref'] === 'string' ? targetOf(branch['$ref'], root) : branch;
    return isObject(target) && target['type'] === 'null';
  };
  const some = branches.filter((branch) => !isNull(branch));
  // Far within, the one that says least of what is within it.
  const sorted = depth > DEEP ? some.toSorted((a, b) => weight(a) - weight(b)) : some;
  return sorted.length === 0 ? branches[0] : sorted[variant % sorted.length];
}

const weight = (schema: Json): number =>
  isObject(schema) && (schema['$ref'] !== undefined || schema['type'] === 'object') ? 1 : 0;

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const properties = [one['properties'], other['properties']].filter(isObject);
  const required = [one['required'], other['required']].flatMap((each) => (Array.isArray(each) ? each : []));
  const both = one['enum'] ?? other['enum'];
  const narrowed =
    Array.isArray(one['enum']) && Array.isArray(other['enum'])
      ? one['enum'].filter((each) => (other['enum'] as Json[]).includes(each))
      : both;
  return {
    ...one,
    ...other,
    ...(properties.length > 0 && { properties: mergedProperties(properties) }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
    ...(narrowed !== undefined && { enum: narrowed }),
  };
}

function mergedProperties(all: readonly JsonObject[]): JsonObject {
  const found = new Map<string, Json>();
  for (const properties of all)
    for (const [name, schema] of Object.entries(properties)) {
      const before = found.get(name);
      const isRule =
        isObject(before) && isObject(schema) && JSON.stringify(before) !== JSON.stringify(schema);
      found.set(name, isRule ? { allOf: [before, schema] } : schema);
    }
  return Object.fromEntries(found);
}

function objectOf(schema: JsonObject, wanted: Wanted): Json | undefined {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = (Array.isArray(schema['required']) ? schema['required'] : []).map(String);
  const { depth, budget } = wanted;
  const within = { ...wanted, depth: depth + 1 };
  const entries: [string, Json][] = [];
  for (const [name, inner] of Object.entries(properties)) {
    const isNeeded = required.includes(name);
    if (!isNeeded && (wanted.kind === 'least' || depth >= DEEP || budget.left <= 0)) continue;
    if (!isNeeded) budget.left -= 1;
    const value = valueOf(inner, within);
    if (value === undefined && isNeeded) return undefined;
    if (value !== undefined) entries.push([name, value]);
  }
  const additional = schema['additionalProperties'];
  const open = additional === false ? undefined : additional;
  for (const name of required.filter((each) => !Object.hasOwn(properties, each)))
    entries.push([name, valueOf(open ?? {}, within) ?? null]);
  const least = typeof schema['minProperties'] === 'number' ? schema['minProperties'] : 0;
  const wantsMore = wanted.kind === 'all' && entries.length === 0 && isObject(additional) && depth < DEEP;
  const more = Math.max(least - entries.length, wantsMore ? 1 : 0);
  for (let index = 0; index < more; index += 1) {
    const value = valueOf(open ?? {}, within);
    if (value !== undefined) entries.push([`key${String(index)}`, value]);
  }
  return Object.fromEntries(entries);
}

function arrayOf(schema: JsonObject, wanted: Wanted): Json | undefined {
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
  const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : Infinity;
  const asked = wanted.kind === 'all' && wanted.depth < DEEP ? 2 : least;
  const count = Math.min(Math.max(least, asked), most, 50);
  const prefix = Array.isArray(schema['prefixItems']) ? schema['prefixItems'] : [];
  const items: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = prefix[index] ?? schema['items'];
    const value = valueOf(own, { ...wanted, depth: wanted.depth + 1, variant: wanted.variant + index });
    if (value === undefined) break;
    const isTwice = items.some((item) => JSON.stringify(item) === JSON.stringify(value));
    const other =
      typeof value === 'number'
        ? value + index
        : typeof value === 'string' && own === undefined
          ? `${value} ${String(index)}`
          : value;
    if (!isTwice) items.push(value);
    else if (schema['uniqueItems'] !== true) items.push(value);
    else if (other !== value) items.push(other);
  }
  return items.length < least ? undefined : items;
}

function numberOf(schema: JsonObject, { variant }: Wanted): number {
  const number = (keyword: string): number | undefined =>
    typeof schema[keyword] === 'number' ? schema[keyword] : undefined;
  const step = number('multipleOf') ?? (typeIn(schema, noVariant) === 'integer' ? 1 : 0.5);
  const above = number('exclusiveMinimum');
  const below = number('exclusiveMaximum');
  const least = number('minimum') ?? (above === undefined ? undefined : above + step);
  const most = number('maximum') ?? (below === undefined ? undefined : below - step);
  const from = least ?? Math.min(most ?? 7, 7);
  const first = Math.ceil(from / step) * step;
  const next = first + variant * step;
  return most !== undefined && next > most ? first : next;
}

const noVariant: Wanted = {
  ...{ root: {}, kind: 'least', variant: 0, isPlain: true, depth: 0, budget: { left: 0 } },
};

/** In base64: as a PNG begins, with line ends and what is no text. */
const BYTES = 'iVBORw0KGgoA/+8=';

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-11-21T10:20:30Z',
  date: '2026-11-21',
  time: '10:20:30Z',
  duration: 'P1DT2H',
  email: 'ann@example.com',
  'idn-email': 'ann@example.com',
  hostname: 'www.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/a?b=c&d=e',
  url: 'https://example.com/a?b=c&d=e',
  'uri-reference': '/a/b?c=d',
  'uri-template': '/a/{b}',
  iri: 'https://example.com/a',
  uuid: 'f3e0e76e-e4a8-466e-ab9c-ae36c15b8e97',
  'json-pointer': '/a/b',
  regex: '^a+$',
  byte: BYTES,
  binary: BYTES,
  int32: '12',
  int64: '12',
  float: '1.5',
  double: '1.5',
};

function textOf(schema: JsonObject, wanted: Wanted): string {
  const { format, pattern, contentEncoding } = schema;
  if (contentEncoding === 'base64' || contentEncoding === 'base64url') return BYTES;
  const known = typeof format === 'string' ? formats[format] : undefined;
  if (known !== undefined && !wanted.isPlain) return known;
  if (known !== undefined) return known.replaceAll(/[&?].*/g, '');
  if (typeof pattern === 'string') return matching(pattern, schema, wanted) ?? freeText(wanted);
  return ofLength(freeText(wanted), schema);
}

/** With what every place has to encode or to keep. */
const awkward = ['a b,c&d=é/1', 'x+y;z|w%#?', '"q" [0]{1}\\'];

const freeText = ({ isPlain, variant, kind }: Wanted): string =>
  isPlain || kind === 'least' ? `text${String(variant)}` : (awkward[variant % awkward.length] as string);

function ofLength(value: string, { minLength, maxLength }: JsonObject): string {
  const padded = typeof minLength === 'number' ? value.padEnd(minLength, 'x') : value;
  return typeof maxLength === 'number' ? Array.from(padded).slice(0, maxLength).join('') : padded;
}

/** One that the pattern matches, of the asked length; drawn by a fixed seed. */
function matching(pattern: string, schema: JsonObject, { variant }: Wanted): string | undefined {
  const { minLength = 0, maxLength = Infinity } = schema as { minLength?: number; maxLength?: number };
  try {
    const expression = new RegExp(pattern, 'u');
    const drawn = fc.sample(fc.stringMatching(expression), { seed: 7 + variant, numRuns: 40 });
    const fits = (value: string) =>
      Array.from(value).length >= minLength && Array.from(value).length <= maxLength;
    const printable = (value: string) => /^[\x20-\x7e]+$/.test(value);
    return drawn.find((value) => fits(value) && printable(value)) ?? drawn.find(fits);
  } catch {
    return undefined;
  }
}
