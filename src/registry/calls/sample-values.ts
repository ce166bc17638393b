import { MergedSchemas } from './merged-schema.js';
import { placeAt } from './narrowed-schema.js';
import { OutOfSteps, SamplingSteps } from './sampling-steps.js';
import { isObject, listMember, type Json, type JsonObject } from '../../documents/json.js';

const DEEPEST = 6;
/** Of one object, list or choice. */
const MOST = 2_000;
/** A member that no schema names, where others than the named ones are taken. */
const UNNAMED = 'a_member_that_nobody_names';
/** Of a text, that are made in a step. */
const CHARACTERS = 100;
const leaves: readonly Json[] = ['text', 1, 1.5, true, null];

/**
 * Makes values that a schema takes, so that together they have each part in each of its shapes: every type, every value
 * of an enum, both ends of a range, present and left out. The first is the fullest. What else a schema demands (`pattern`,
 * `format`, `not`, `if`, `uniqueItems`) is not looked at: some values may break it.
 *
 * A schema that refers to itself is followed six levels down. One that branches so often that this takes more than `MOST_STEPS` is
 * left, whole: some of its values, without the others, would say nothing of what it takes.
 *
 * @param asked names of members that somebody will look at, whether or not the schema has them
 * @returns undefined where the schema branches too often to be tried
 */
export function sampleValues(
  schema: Json,
  asked: readonly string[] = [],
  steps = new SamplingSteps(),
): readonly Json[] | undefined {
  try {
    const values = new Samples(schema, [UNNAMED, ...asked], steps).of(schema, 0);
    steps.takeWhole(values);
    return values;
  } catch (error) {
    if (error instanceof OutOfSteps) return undefined;
    throw error;
  }
}

class Samples {
  private readonly anything: readonly Json[];
  private readonly merged: MergedSchemas['merged'];
  /** What references lead to. */
  private readonly places = new Map<string, Json>();

  constructor(
    private readonly root: Json,
    private readonly unnamed: readonly string[],
    private readonly steps: SamplingSteps,
  ) {
    const objects = unnamed.flatMap((name) => leaves.map((leaf) => ({ [name]: leaf })));
    this.anything = [...leaves, ...objects, ['text']];
    this.merged = new MergedSchemas(steps).merged;
  }

  of(schema: Json, depth: number): readonly Json[] {
    this.steps.take(1);
    if (!isObject(schema)) return schema === false ? [] : this.anything;
    if (depth > DEEPEST * 4) return [];
    const { $ref, allOf, anyOf, oneOf, ...own } = schema;
    this.steps.take(Object.keys(own).length);
    if (typeof $ref === 'string') return this.of(this.merged(own, this.at($ref)), depth + 1);
    if (Array.isArray(allOf)) {
      const all = (allOf as readonly Json[])
        .map((each) => this.flat(each, depth))
        .reduce(this.merged, { ...own, ...chosen({ anyOf, oneOf }) });
      return this.of(all, depth + 1);
    }
    const branches = [anyOf, oneOf].find((each) => Array.isArray(each)) as readonly Json[] | undefined;
    if (branches === undefined) return this.plain(own, depth);
    const rest = this.merged(own, chosen(branches === anyOf ? { oneOf } : {}));
    return this.most(branches, (branch) => this.of(this.merged(rest, branch), depth + 1));
  }

  /** Puts in its place what a schema refers to: merging would keep the last of two references alone. */
  private flat(schema: Json, depth: number): Json {
    this.steps.take(1);
    if (!isObject(schema) || depth > DEEPEST * 4) return schema;
    const { $ref, allOf, ...own } = schema;
    const parts = [
      ...(typeof $ref === 'string' ? [this.at($ref)] : []),
      ...(Array.isArray(allOf) ? (allOf as readonly Json[]) : []),
    ];
    return parts.map((part) => this.flat(part, depth + 1)).reduce(this.merged, own);
  }

  private at(pointer: string): Json {
    const place = this.places.get(pointer) ?? placeAt(this.root, pointer) ?? true;
    this.places.set(pointer, place);
    return place;
  }

  /** The values of one after the other, until there are as many as are taken. */
  private most<T>(each: Iterable<T>, valuesOf: (one: T) => readonly Json[]): readonly Json[] {
    const values: Json[] = [];
    for (const one of each) {
      const more = valuesOf(one).slice(0, MOST - values.length);
      this.steps.take(more.length);
      values.push(...more);
      if (values.length >= MOST) break;
    }
    return values;
  }

  private plain(schema: JsonObject, depth: number): readonly Json[] {
    const { const: only } = schema;
    if (only !== undefined) return [only];
    if (Array.isArray(schema['enum']))
      return this.most(schema['enum'] as readonly Json[], (value) => [value]);
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
        return [this.text(schema)];
      case 'integer':
        return ends(schema, 1, Number.MAX_SAFE_INTEGER);
      case 'number':
        return [...fractions(schema), ...ends(schema, Number.MIN_VALUE, 1e300)];
      case 'boolean':
        return [true, false];
      default:
        return [null];
    }
  }

  private text({ minLength = 0, maxLength = Infinity }: JsonObject): string {
    const length = Math.min(Number(minLength), 10_000);
    this.steps.take(Math.ceil(length / CHARACTERS));
    return 'text'.padEnd(length, 'x').slice(0, Number(maxLength));
  }

  private objects(schema: JsonObject, depth: number): readonly Json[] {
    const required = new Set(listMember(schema, 'required').map(String));
    const { properties, additionalProperties = true } = schema;
    const named = isObject(properties) ? properties : {};
    const unnamed = [...required].filter((name) => !Object.hasOwn(named, name));
    const listed = [
      ...Object.entries(named),
      ...unnamed.map((name): [string, Json] => [name, additionalProperties]),
    ];
    const members = listed.map(([name, inner]): Member => {
      const isNeeded = required.has(name);
      const values = depth > DEEPEST && !isNeeded ? [] : this.of(inner, depth + 1);
      return { name, isNeeded, values };
    });
    // Nothing has a member that can have no value.
    if (members.some(({ isNeeded, values }) => isNeeded && values.length === 0)) return [];
    const others = depth > DEEPEST ? [] : this.of(additionalProperties, depth + 1);
    const { minProperties = 0, maxProperties = Infinity } = schema;
    const [fit, unfit]: [Json[], Json[]] = [[], []];
    for (const shape of this.shapes(members, others, Number(maxProperties))) {
      const count = Object.keys(shape).length;
      (count >= Number(minProperties) && count <= Number(maxProperties) ? fit : unfit).push(shape);
      if (fit.length >= MOST) break;
    }
    // So deep that members are left out, it may be that none is left that fits.
    return fit.length > 0 || depth > DEEPEST ? fit : unfit.slice(0, MOST);
  }

  private *shapes(
    members: readonly Member[],
    others: readonly Json[],
    maxProperties: number,
  ): Generator<JsonObject> {
    const objectOf = (changed: Readonly<Record<string, Json | undefined>>): JsonObject => {
      this.steps.take(1 + members.length);
      return Object.fromEntries(
        members.flatMap(({ name, values: [first] }): [string, Json][] => {
          const value = Object.hasOwn(changed, name) ? changed[name] : first;
          return value === undefined ? [] : [[name, value]];
        }),
      );
    };
    const full = objectOf({});
    yield full;
    const optional = members.filter(({ isNeeded }) => !isNeeded).map(({ name }) => name);
    const left = Object.fromEntries(optional.map((name) => [name, undefined]));
    yield objectOf(left);
    for (const name of optional) yield objectOf({ [name]: undefined });
    for (const { name, values } of members)
      for (const value of values.slice(1)) yield objectOf({ [name]: value });
    const known = new Set(members.map(({ name }) => name));
    const names = this.unnamed.filter((name) => !known.has(name));
    for (const value of others)
      for (const name of names) {
        this.steps.take(1 + members.length);
        yield { ...full, [name]: value };
      }
    if (members.length <= maxProperties) return;
    for (const { name, values } of members)
      for (const value of values) {
        this.steps.take(optional.length);
        yield objectOf({ ...left, [name]: value });
      }
  }

  private lists(schema: JsonObject, depth: number): readonly Json[] {
    const { items = true, minItems = 0, maxItems = Infinity } = schema;
    const [least, most] = [Number(minItems), Number(maxItems)];
    const first = listMember(schema, 'prefixItems').map((each) => this.of(each, depth + 1));
    const rest = depth > DEEPEST ? [] : this.of(items, depth + 1);
    const listOf = (length: number, at: number, value: Json | undefined): Json[] => {
      this.steps.take(1 + length);
      return Array.from({ length }, (_, place) => (place === at ? value : (first[place] ?? rest)[0])).filter(
        (item): item is Json => item !== undefined,
      );
    };
    const length = Math.min(most, Math.max(least, first.length + 1), 1_000);
    const places = [...first, ...(length > first.length ? [rest] : [])];
    const varied = this.most(places.entries(), ([at, values]) =>
      values.map((value) => listOf(length, at, value)),
    );
    return varied.length < MOST ? [...varied, listOf(Math.min(least, 1_000), -1, undefined)] : varied;
  }
}

interface Member {
  readonly name: string;
  readonly isNeeded: boolean;
  readonly values: readonly Json[];
}

const chosen = (branches: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(branches).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );

const keywords = ['properties', 'required', 'items', 'prefixItems', 'additionalProperties'] as const;

/** What a schema may be by `type`, or by the keywords that stand there where it says none. */
function typesOf(schema: JsonObject): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type as readonly string[];
  if (!keywords.some((keyword) => keyword in schema)) return [];
  return ['object', 'array', 'string', 'number', 'boolean', 'null'];
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

/** A value that is no integer, where the range has one. */
function fractions(schema: JsonObject): readonly number[] {
  const { multipleOf } = schema;
  if (typeof multipleOf === 'number' && Number.isInteger(multipleOf)) return [];
  const [low = 0, high = low] = ends(schema, Number.MIN_VALUE, 1e300).toSorted((a, b) => a - b);
  // Next to either end: between two, however near they are, and beyond one that has no other.
  const near = [1.5, low + 0.5, high - 0.5, low + (high - low) / 2, low + (high - low) / 3];
  return near.filter((value) => !Number.isInteger(value) && isWithin(schema, value)).slice(0, 1);
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
