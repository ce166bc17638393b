/** Reading JSON Schemas for comparison: plain members, local references, equality of what constrains. */
export type Schema = Readonly<Record<string, unknown>>;

/** Keywords that say something about a schema and constrain nothing. */
export const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  '$defs',
  'definitions',
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const NO_MEMBERS: ReadonlyMap<string, unknown> = new Map();

export function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return isObject(value) ? new Map(Object.entries(value)) : NO_MEMBERS;
}

export function alternatives(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function isClosed(schema: Schema): boolean {
  return 'additionalProperties' in schema || 'unevaluatedProperties' in schema;
}

const LISTS = ['enum', 'required', 'type', 'prefixItems', 'allOf', 'anyOf', 'oneOf'];

/** What is looked at one by one in a schema itself, what lies deeper left out. */
export function sizeOf(schema: Schema): number {
  const { properties } = schema;
  let size = isObject(properties) ? Object.keys(properties).length : 0;
  for (const keyword of LISTS) size += alternatives(schema[keyword]).length;
  return size;
}

/** What a `$ref` with other keywords beside it refers to. */
export function referenced(schema: Schema): unknown {
  return '$ref' in schema ? { $ref: schema['$ref'] } : true;
}

/** Follows local references (`#/$defs/…`, `#`) that stand alone; one that leads nowhere accepts everything. */
export function resolve(schema: unknown, root: unknown): unknown {
  let current = schema;
  for (let steps = 0; steps < 50; steps++) {
    if (!isObject(current) || typeof current['$ref'] !== 'string' || constrains(current)) return current;
    current = at(root, current['$ref']);
  }
  return true;
}

function constrains(schema: Schema): boolean {
  return Object.keys(schema).some((keyword) => keyword !== '$ref' && !ANNOTATIONS.has(keyword));
}

function at(root: unknown, ref: string): unknown {
  if (!ref.startsWith('#')) return true;
  let current = root;
  for (const segment of decoded(ref.slice(1)).split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isObject(current) || !Object.hasOwn(current, name)) return true;
    current = current[name];
  }
  return current;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * Whether two schemas constrain alike, textually: annotations aside, members in any order. In `properties` and
 * its like names are names, not keywords.
 */
export function sameSchema(one: unknown, other: unknown): boolean {
  const shapes = new Shapes();
  return shapes.ofSchema(one) === shapes.ofSchema(other);
}

/** Keywords whose members are named by the author, and those that hold values, not schemas. */
const NAME_MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired']);
const VALUES = new Set(['enum', 'const']);
/** Levels at which what is nested still deeper counts as equal to itself alone. */
const DEEPEST = 1_000;

/** As what a value is read: a schema, a map of schemas by the author's names, or plain data of which all counts. */
type Reading = 'schema' | 'names' | 'value';

/**
 * Gives schemas and values that are equal the same number. Each object is read once, however often it is asked for, so
 * that a comparison takes time in proportion to what is compared.
 */
export class Shapes {
  private readonly numbers = new Map<string, number>();
  private readonly read = {
    schema: new WeakMap<object, number>(),
    names: new WeakMap<object, number>(),
    value: new WeakMap<object, number>(),
  };
  private next = 0;

  ofSchema(schema: unknown): number {
    return this.of(schema, 'schema', 0);
  }

  /** Of a value of `enum` or `const`: every member counts. */
  ofValue(value: unknown): number {
    return this.of(value, 'value', 0);
  }

  private of(value: unknown, reading: Reading, depth: number): number {
    if (value === undefined) return this.numberOf('');
    if (typeof value !== 'object' || value === null) return this.numberOf(JSON.stringify(value));
    const known = this.read[reading].get(value);
    if (known !== undefined) return known;
    const number = depth > DEEPEST ? this.next++ : this.numberOf(this.textOf(value, reading, depth));
    this.read[reading].set(value, number);
    return number;
  }

  private textOf(value: object, reading: Reading, depth: number): string {
    if (Array.isArray(value)) {
      return `[${value.map((item: unknown) => this.of(item, reading, depth + 1)).join()}]`;
    }
    const members = Object.entries(value)
      .filter(([name, member]) => member !== undefined && !(reading === 'schema' && ANNOTATIONS.has(name)))
      .map(([name, member]: [string, unknown]) => [name, this.of(member, within(reading, name), depth + 1)]);
    // By name: no two of an object have the same.
    return `{${members
      .map((member) => JSON.stringify(member))
      .sort()
      .join()}}`;
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.next);
    return this.next++;
  }
}

function within(reading: Reading, name: string): Reading {
  if (reading !== 'schema') return reading === 'names' ? 'schema' : 'value';
  if (VALUES.has(name)) return 'value';
  return NAME_MAPS.has(name) ? 'names' : 'schema';
}
