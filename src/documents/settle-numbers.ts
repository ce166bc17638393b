import { isObject, meansText, type Json, type JsonObject } from '../../packages/schema-reading/keywords.js';
import { stepsOf } from './pointers.js';
import { WrittenNumber } from './written-numbers.js';

/**
 * Decides, in place, which of the numbers and flags within are texts: those under members that are texts in every description, and
 * the values that a schema of texts lists or is shown by. All others are what they were read as.
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

const TEXT = { type: 'string' };
const CHOICES = ['anyOf', 'oneOf'];
const COMPOSED = ['allOf', ...CHOICES];

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
    else if (name === 'variables' && typeof holder['url'] === 'string') this.variables(value);
    else if (DATA_MEMBERS.has(name)) this.data(holder, name, holder['schema'] ?? holder);
    else if (name === 'enum') this.items(value, holder);
    else if (name === 'examples') this.examples(value, holder['schema'] ?? holder);
    else if (TEXT_LISTS.has(name)) this.items(value, TEXT);
    else this.within(value);
  }

  /** Those of a server: they are written into its address. */
  private variables(value: unknown): void {
    if (!isHolder(value)) return;
    for (const variable of Object.values(value)) {
      if (!isObject(variable)) continue;
      if ('default' in variable) this.data(variable, 'default', TEXT);
      this.items(variable['enum'], TEXT);
    }
    this.within(value);
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
    if (value instanceof WrittenNumber && this.isText(schema)) values[step] = value.text;
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
    const { properties } = schema;
    if (isObject(properties) && Object.hasOwn(properties, name)) return properties[name];
    for (const part of COMPOSED.flatMap((keyword) => partsOf(schema, keyword))) {
      const found = this.property(part, name, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Whether no value but a text, or null, is asked for: by one part of a whole, or by each of several choices. */
  private isText(given: unknown, depth = 0): boolean {
    const schema = this.target(given);
    if (!isObject(schema) || depth > MAX_HOPS) return false;
    if (meansText(schema['type'])) return true;
    if (partsOf(schema, 'allOf').some((part) => this.isText(part, depth + 1))) return true;
    return CHOICES.some((keyword) => {
      const branches = partsOf(schema, keyword).filter((branch) => !saysNull(branch));
      return branches.length > 0 && branches.every((branch) => this.isText(branch, depth + 1));
    });
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

const partsOf = (schema: JsonObject, keyword: string): readonly Json[] => {
  const parts = schema[keyword];
  return Array.isArray(parts) ? parts : [];
};

/** A member called `default` may be a response or a property, which no schema describes. */
function isDescribing(schema: unknown): schema is JsonObject {
  if (!isObject(schema)) return false;
  const { type } = schema;
  return (
    typeof type === 'string' ||
    Array.isArray(type) ||
    COMPOSED.some((keyword) => Array.isArray(schema[keyword]))
  );
}

function typesOf(schema: JsonObject): readonly Json[] {
  const type = schema['type'] ?? [];
  return Array.isArray(type) ? type : [type];
}

const saysNull = (schema: Json): boolean =>
  isObject(schema) && typesOf(schema).length > 0 && typesOf(schema).every((name) => name === 'null');

/** Replaces what was written by what it was read as, in place. */
export function numbersIn(root: unknown): unknown {
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
