import { placeAt } from './narrowed-schema.js';
import { isObject, listMember, member, type Json, type JsonObject } from '../../documents/json.js';

const DEEPEST = 6;
/** Of one object, list or choice. */
const MOST = 2_000;
/** A member that no schema names, where others than the named ones are taken. */
const UNNAMED = 'a_member_that_nobody_names';
const leaves: readonly Json[] = ['text', 1, 1.5, true, null];

/**
 * Makes values that a schema takes, so that together they have each part in each of its shapes: every type, every value
 * of an enum, both ends of a range, present and left out. The first is the fullest. What else a schema demands (`pattern`,
 * `format`, `not`, `if`, `uniqueItems`) is not looked at: some values may break it.
 *
 * A schema that refers to itself is followed six levels down.
 *
 * @param asked names of members that somebody will look at, whether or not the schema has them
 */
export function sampleValues(schema: Json, asked: readonly string[] = []): readonly Json[] {
  return new Samples(schema, [UNNAMED, ...asked]).of(schema, 0);
}

class Samples {
  private readonly anything: readonly Json[];

  constructor(
    private readonly root: Json,
    private readonly unnamed: readonly string[],
  ) {
    const objects = unnamed.flatMap((name) => leaves.map((leaf) => ({ [name]: leaf })));
    this.anything = [...leaves, ...objects, ['text']];
  }

  of(schema: Json, depth: number): readonly Json[] {
    if (!isObject(schema)) return schema === false ? [] : this.anything;
    if (depth > DEEPEST * 4) return [];
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    if (typeof $ref === 'string') return this.of(merged(own, this.at($ref)), depth + 1);
    if (Array.isArray(allOf)) {
      const all = (allOf as readonly Json[])
        .map((each) => this.flat(each, depth))
        .reduce(merged, { ...own, ...chosen({ anyOf, oneOf }) });
      return this.of(all, depth + 1);
    }
    const branches = [anyOf, oneOf].find((each) => Array.isArray(each)) as readonly Json[] | undefined;
    if (branches !== undefined) {
      const rest = merged(own, chosen(branches === anyOf ? { oneOf } : {}));
      return branches.flatMap((branch) => this.of(merged(rest, branch), depth + 1)).slice(0, MOST);
    }
    return this.plain(own, depth);
  }

  /** Puts in its place what a schema refers to: merging would keep the last of two references alone. */
  private flat(schema: Json, depth: number): Json {
    if (!isObject(schema) || depth > DEEPEST * 4) return schema;
    const { $ref, allOf, ...own } = schema;
    const parts = [
      ...(typeof $ref === 'string' ? [this.at($ref)] : []),
      ...(Array.isArray(allOf) ? (allOf as readonly Json[]) : []),
    ];
    return parts.map((part) => this.flat(part, depth + 1)).reduce(merged, own);
  }

  private at(pointer: string): Json {
    return placeAt(this.root, pointer) ?? true;
  }

  private plain(schema: JsonObject, depth: number): readonly Json[] {
    const { const: only } = schema;
    if (only !== undefined) return [only];
    if (Array.isArray(schema['enum'])) return (schema['enum'] as readonly Json[]).slice(0, MOST);
    const types = typesOf(schema);
    if (types.length === 0) return this.anything;
    return types.flatMap((type) => this.ofType(type, schema, depth));
  }

  private ofType(type: string, schema: JsonObject, depth: number): readonly Json[] {
    switch (type) {
      case 'object':
        return this.objects(schema, depth);
      case 'array':
        return this.lists(schema, depth);
      case 'string':
        return [textFor(schema)];
      case 'integer':
        return ends(schema, 1, Number.MAX_SAFE_INTEGER);
      case 'number':
        return [1.5, ...ends(schema, Number.MIN_VALUE, 1e300)].filter((value) => isWithin(schema, value));
      case 'boolean':
        return [true, false];
      default:
        return [null];
    }
  }

  private objects(schema: JsonObject, depth: number): readonly Json[] {
    const required = listMember(schema, 'required');
    const { properties, additionalProperties = true } = schema;
    const named = isObject(properties) ? Object.entries(properties) : [];
    const unnamed = required.filter((name) => !named.some(([known]) => known === name)).map(String);
    const all = [...named, ...unnamed.map((name): [string, Json] => [name, additionalProperties])].map(
      ([name, inner]) => {
        const isNeeded = required.includes(name);
        const values = depth > DEEPEST && !isNeeded ? [] : this.of(inner, depth + 1);
        return { name, isNeeded, values };
      },
    );
    // Nothing has a member that can have no value.
    if (all.some(({ isNeeded, values }) => isNeeded && values.length === 0)) return [];
    const objectOf = (changed: Readonly<Record<string, Json | undefined>>): Json =>
      Object.fromEntries(
        all.flatMap(({ name, values: [first] }): [string, Json][] => {
          const value = Object.hasOwn(changed, name) ? changed[name] : first;
          return value === undefined ? [] : [[name, value]];
        }),
      );
    const full = objectOf({}) as JsonObject;
    const left = Object.fromEntries(
      all.filter(({ isNeeded }) => !isNeeded).map(({ name }) => [name, undefined]),
    );
    const names = this.unnamed.filter((name) => !all.some((each) => each.name === name));
    const others = depth > DEEPEST ? [] : this.of(additionalProperties, depth + 1);
    const { minProperties = 0, maxProperties = Infinity } = schema;
    const alone = all.flatMap(({ name, values }) =>
      values.map((value) => objectOf({ ...left, [name]: value })),
    );
    const shapes = [
      full,
      objectOf(left),
      ...Object.keys(left).map((name) => objectOf({ [name]: undefined })),
      ...all.flatMap(({ name, values }) => values.slice(1).map((value) => objectOf({ [name]: value }))),
      ...others.flatMap((value) => names.map((name) => ({ ...full, [name]: value }))),
      ...(all.length > Number(maxProperties) ? alone : []),
    ];
    const fit = shapes.filter((shape) => {
      const count = Object.keys(shape as JsonObject).length;
      return count >= Number(minProperties) && count <= Number(maxProperties);
    });
    // So deep that members are left out, it may be that none is left that fits.
    return (fit.length > 0 || depth > DEEPEST ? fit : shapes).slice(0, MOST);
  }

  private lists(schema: JsonObject, depth: number): readonly Json[] {
    const { items = true, minItems = 0, maxItems = Infinity } = schema;
    const [least, most] = [Number(minItems), Number(maxItems)];
    const first = listMember(schema, 'prefixItems').map((each) => this.of(each, depth + 1));
    const rest = depth > DEEPEST ? [] : this.of(items, depth + 1);
    const listOf = (length: number, at: number, value: Json | undefined): Json[] =>
      Array.from({ length }, (_, place) => (place === at ? value : (first[place] ?? rest)[0])).filter(
        (item): item is Json => item !== undefined,
      );
    const length = Math.min(most, Math.max(least, first.length + 1), 1_000);
    const varied = [...first, ...(length > first.length ? [rest] : [])].flatMap((values, at) =>
      values.map((value) => listOf(length, at, value)),
    );
    const shortest = listOf(Math.min(least, 1_000), -1, undefined);
    return [...varied, shortest].slice(0, MOST);
  }
}

const chosen = (branches: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(branches).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );

const keywords = ['properties', 'required', 'items', 'prefixItems', 'additionalProperties'] as const;
const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};

/** What a schema may be by `type`, or by the keywords that stand there where it says none. */
function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type as readonly string[];
  if (!keywords.some((keyword) => keyword in schema)) return [];
  return ['object', 'array', 'string', 'number', 'boolean', 'null'];
}

/** A schema that takes what both take, at most. */
function merged(one: Json, other: Json): Json {
  if (!isObject(one) || !isObject(other)) {
    if (one === false || other === false) return false;
    return isObject(one) ? one : other;
  }
  const both: Record<string, Json> = { ...one, ...other };
  const each = (keyword: string, join: (a: Json, b: Json) => Json): void => {
    const [a, b] = [one[keyword], other[keyword]];
    if (a !== undefined && b !== undefined) both[keyword] = join(a, b);
  };
  each('type', (a, b) => [a].flat().filter((type) => takesType([b].flat(), type)));
  each('required', (a, b) => [...new Set([a, b].flat())]);
  each('enum', (a, b) => listed(a).filter((value) => listed(b).some((known) => isSame(known, value))));
  each('properties', (a, b) => propertiesOf(a, b));
  for (const keyword of ['items', 'additionalProperties']) each(keyword, merged);
  for (const keyword of ['minimum', 'exclusiveMinimum', 'minItems', 'minLength']) each(keyword, larger);
  for (const keyword of ['maximum', 'exclusiveMaximum', 'maxItems', 'maxLength']) each(keyword, smaller);
  each('anyOf', (a, b) => [
    ...listed(a).flatMap((first) => listed(b).map((second) => merged(first, second))),
  ]);
  each('oneOf', (a, b) => [
    ...listed(a).flatMap((first) => listed(b).map((second) => merged(first, second))),
  ]);
  const { type } = both;
  if (Array.isArray(both['enum']) && type !== undefined)
    both['enum'] = listed(both['enum']).filter((value) => takesType([type].flat(), typeOf(value)));
  return both;
}

const listed = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);
const isSame = (one: Json, other: Json): boolean => JSON.stringify(one) === JSON.stringify(other);
const larger = (a: Json, b: Json): Json => Math.max(Number(a), Number(b));
const smaller = (a: Json, b: Json): Json => Math.min(Number(a), Number(b));

function takesType(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}

function propertiesOf(one: Json, other: Json): Json {
  if (!isObject(one) || !isObject(other)) return other;
  const shared = Object.entries(other).map(([name, schema]): [string, Json] => {
    const known = member(one, name);
    return [name, known === undefined ? schema : merged(known, schema)];
  });
  return { ...one, ...Object.fromEntries(shared) };
}

function textFor({ minLength = 0, maxLength = Infinity }: JsonObject): string {
  return 'text'.padEnd(Math.min(Number(minLength), 10_000), 'x').slice(0, Number(maxLength));
}

function ends(schema: JsonObject, step: number, far: number): number[] {
  const bound = (name: string, exclusive: string, side: 1 | -1): number => {
    const [own, other] = [schema[name], schema[exclusive]];
    const values = [
      ...(typeof own === 'number' ? [own] : []),
      ...(typeof other === 'number' ? [other + side * step] : []),
    ];
    if (values.length === 0) return -side * far;
    return side === 1 ? Math.max(...values) : Math.min(...values);
  };
  const rounded = step === 1 ? [Math.ceil, Math.floor] : [Number, Number];
  const [low, high] = [bound('minimum', 'exclusiveMinimum', 1), bound('maximum', 'exclusiveMaximum', -1)];
  const [up = Number, down = Number] = rounded;
  return [...new Set([up(low), down(high)])].filter((value) => isWithin(schema, value));
}

function isWithin(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject,
  value: number,
): boolean {
  return !(
    (typeof minimum === 'number' && value < minimum) ||
    (typeof maximum === 'number' && value > maximum) ||
    (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) ||
    (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum)
  );
}
