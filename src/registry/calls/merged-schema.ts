import { isObject, member, type Json } from '../../documents/json.js';
import type { SamplingSteps } from './sampling-steps.js';

/** Characters of an enum's value that are compared in a step. */
const COMPARED = 64;

/** Makes one schema of several, and counts what that takes: two choices come to as many branches as their product. */
export class MergedSchemas {
  constructor(private readonly steps: SamplingSteps) {}

  /** A schema that takes what both take, at most. */
  readonly merged = (one: Json, other: Json): Json => {
    if (!isObject(one) || !isObject(other)) {
      if (one === false || other === false) return false;
      return isObject(one) ? one : other;
    }
    const both: Record<string, Json> = { ...one, ...other };
    this.steps.take(1 + Object.keys(both).length);
    const each = (keyword: string, join: (a: Json, b: Json) => Json): void => {
      const [a, b] = [one[keyword], other[keyword]];
      if (a !== undefined && b !== undefined) both[keyword] = join(a, b);
    };
    each('type', (a, b) => [a].flat().filter((type) => takesType([b].flat(), type)));
    each('required', (a, b) => [...new Set(this.counted([a, b].flat()))]);
    each('enum', (a, b) => this.shared(listed(a), listed(b)));
    each('properties', (a, b) => this.properties(a, b));
    for (const keyword of ['items', 'additionalProperties']) each(keyword, this.merged);
    for (const keyword of ['minimum', 'exclusiveMinimum', 'minItems', 'minLength']) each(keyword, larger);
    for (const keyword of ['maximum', 'exclusiveMaximum', 'maxItems', 'maxLength']) each(keyword, smaller);
    for (const keyword of ['anyOf', 'oneOf']) each(keyword, (a, b) => this.choices(listed(a), listed(b)));
    const { type } = both;
    if (Array.isArray(both['enum']) && type !== undefined)
      both['enum'] = this.counted(listed(both['enum'])).filter((value) =>
        takesType([type].flat(), typeOf(value)),
      );
    return both;
  };

  private choices(one: readonly Json[], other: readonly Json[]): Json {
    return one.flatMap((first) =>
      this.counted(other).map((second) => {
        this.steps.take(1);
        return this.merged(first, second);
      }),
    );
  }

  private shared(one: readonly Json[], other: readonly Json[]): Json {
    const known = new Set(other.map((value) => this.text(value)));
    return one.filter((value) => known.has(this.text(value)));
  }

  private text(value: Json): string {
    const text = JSON.stringify(value);
    this.steps.take(1 + Math.floor(text.length / COMPARED));
    return text;
  }

  private properties(one: Json, other: Json): Json {
    if (!isObject(one) || !isObject(other)) return other;
    this.counted(Object.keys(one));
    const shared = this.counted(Object.entries(other)).map(([name, schema]): [string, Json] => {
      const known = member(one, name);
      return [name, known === undefined ? schema : this.merged(known, schema)];
    });
    return { ...one, ...Object.fromEntries(shared) };
  }

  private counted<T>(list: readonly T[]): readonly T[] {
    this.steps.take(list.length);
    return list;
  }
}

const listed = (value: Json): readonly Json[] => (Array.isArray(value) ? value : []);
const larger = (a: Json, b: Json): Json => Math.max(Number(a), Number(b));
const smaller = (a: Json, b: Json): Json => Math.min(Number(a), Number(b));

const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value;
};

function takesType(types: readonly unknown[], type: unknown): boolean {
  return types.includes(type) || (type === 'integer' && types.includes('number'));
}
