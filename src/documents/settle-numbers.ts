import { isObject, stepsOf, type Json, type JsonObject } from './json.js';
import { WrittenNumber } from './written-numbers.js';

/**
 * Decides, in place, which of the numbers within are texts: those under members that are texts in every description, and
 * the values that a schema of texts lists or is shown by. All others are numbers.
 */
export function settleNumbers(root: unknown): unknown {
  new Texts(root).within(root);
  return numbersIn(root);
}

/** Members that hold a text wherever they stand. */
const TEXT_MEMBERS = new Set(
  'openapi swagger version title summary description name operationId propertyName format pattern'.split(' '),
);
const TEXT_LISTS = new Set(['required', 'tags', 'x-enum-varnames', 'x-enumNames', 'x-enum-descriptions']);
/** Members whose value is data of the schema that they stand in, or that stands beside them. */
const DATA_MEMBERS = new Set(['default', 'const', 'example']);

type Holder = Record<string, unknown> | unknown[];

const isHolder = (value: unknown): value is Holder =>
  typeof value === 'object' && value !== null && !(value instanceof WrittenNumber);

/** References and parts of a schema that are looked through. */
const MAX_HOPS = 8;

class Texts {
  private readonly seen = new WeakSet<object>();
  /** Data that was met with a schema. */
  private readonly shown = new WeakSet<object>();

  constructor(private readonly root: unknown) {}

  within(value: unknown): void {
    if (!isHolder(value) || this.seen.has(value)) return;
    this.seen.add(value);
    if (Array.isArray(value)) for (const item of value) this.within(item);
    else for (const name of Object.keys(value)) this.member(value, name);
  }

  private member(holder: Record<string, unknown>, name: string): void {
    const value = holder[name];
    if (value instanceof WrittenNumber && TEXT_MEMBERS.has(name)) holder[name] = value.text;
    else if (DATA_MEMBERS.has(name)) this.data(holder, name, holder['schema'] ?? holder);
    else if (name === 'enum') this.items(value, holder);
    else if (name === 'examples') this.examples(value, holder['schema'] ?? holder);
    else if (TEXT_LISTS.has(name)) this.items(value, { type: 'string' });
    else this.within(value);
  }

  /** A list of a schema, or a map of OpenAPI, whose values stand one level further down. */
  private examples(value: unknown, schema: unknown): void {
    if (!isObject(value)) {
      this.items(value, schema);
      return;
    }
    for (const given of Object.values(value)) {
      const example = this.target(given);
      if (!isObject(example)) continue;
      for (const name of ['value', 'dataValue']) if (name in example) this.data(example, name, schema);
    }
    this.within(value);
  }

  private items(value: unknown, schema: unknown): void {
    if (!Array.isArray(value)) this.within(value);
    else for (const index of value.keys()) this.data(value, index, schema);
  }

  private data(holder: object, step: string | number, given: unknown): void {
    const values = holder as Record<string | number, unknown>;
    const value = values[step];
    const schema = this.target(given);
    if (value instanceof WrittenNumber && isText(schema)) values[step] = value.text;
    if (!isHolder(value) || this.shown.has(value)) return;
    if (!isDescribing(schema)) {
      this.within(value);
      return;
    }
    this.shown.add(value);
    if (Array.isArray(value)) {
      for (const index of value.keys()) this.data(value, index, schema['items']);
    } else for (const name of Object.keys(value)) this.data(value, name, this.property(schema, name, 0));
  }

  private property(given: unknown, name: string, depth: number): unknown {
    const schema = this.target(given);
    if (!isObject(schema) || depth > MAX_HOPS) return undefined;
    const { properties, allOf } = schema;
    if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
    for (const part of Array.isArray(allOf) ? allOf : []) {
      const found = this.property(part, name, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What a reference within the document leads to. */
  private target(given: unknown): unknown {
    let value = given;
    for (let hop = 0; hop < MAX_HOPS && isObject(value); hop++) {
      const { $ref } = value;
      if (typeof $ref !== 'string' || !$ref.startsWith('#')) return value;
      value = stepsOf($ref.slice(1)).reduce<unknown>(
        (found, step) => (isHolder(found) && Object.hasOwn(found, step) ? found[step as never] : undefined),
        this.root,
      );
    }
    return value;
  }
}

/** A member called `default` may be a response or a property, which no schema describes. */
function isDescribing(schema: unknown): schema is JsonObject {
  if (!isObject(schema)) return false;
  const { type, allOf } = schema;
  return typeof type === 'string' || Array.isArray(type) || Array.isArray(allOf);
}

function isText(schema: unknown): boolean {
  const type: Json = isObject(schema) ? (schema['type'] ?? null) : null;
  const types = Array.isArray(type) ? type : [type];
  return types.includes('string') && types.every((name) => name === 'string' || name === 'null');
}

function numbersIn(root: unknown): unknown {
  const all: Holder = [root];
  const seen = new Set<object>([all]);
  for (const holder of seen) {
    const values = holder as Record<string, unknown>;
    for (const [step, value] of Object.entries(values)) {
      if (value instanceof WrittenNumber) values[step] = value.value;
      else if (isHolder(value)) seen.add(value);
    }
  }
  return all[0];
}
