/** Makes arguments that fit the input schema of a tool, always the same: the least that it takes, and all that it offers. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { isObject, type Json, type JsonObject } from '../../src/documents/json.js';
import { valueOf, type Wanted } from './sample-values.js';

export interface ArgumentSet {
  readonly kind: 'least' | 'all';
  readonly args: Readonly<Record<string, unknown>>;
}

/** What may be written where an argument goes. */
export type PlaceOf = (argument: string) => 'body' | 'path' | 'query' | 'header' | 'cookie' | 'argument';

/** How many choices among alternatives are tried. */
const VARIANTS = 8;
const REPAIRS = 30;

/** The sets that fit; fewer than two where none is found that does, or both are the same. */
export function argumentSets(schema: JsonObject, placeOf: PlaceOf): readonly ArgumentSet[] {
  const validate = compiled(schema);
  const sets = (['least', 'all'] as const).flatMap((kind): ArgumentSet[] => {
    for (let variant = 0; variant < VARIANTS; variant += 1) {
      const args = tried(schema, validate, { kind, variant, placeOf });
      if (args !== undefined) return [{ kind, args }];
    }
    return [];
  });
  const [least, all] = sets;
  return JSON.stringify(least?.args) === JSON.stringify(all?.args) ? sets.slice(0, 1) : sets;
}

function compiled(schema: JsonObject): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, logger: false, addUsedSchema: false, code: { optimize: false } });
  ajvFormats.default(ajv);
  return ajv.compile(schema);
}

interface Choice {
  readonly kind: ArgumentSet['kind'];
  readonly variant: number;
  readonly placeOf: PlaceOf;
}

function tried(
  schema: JsonObject,
  validate: ValidateFunction,
  { kind, variant, placeOf }: Choice,
): Record<string, unknown> | undefined {
  const wanted: Wanted = { root: schema, kind, variant, isPlain: false, depth: 0, budget: { left: 400 } };
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const isPlain = (name: string): boolean => ['header', 'cookie'].includes(placeOf(name));
  const args: Record<string, unknown> = {};
  const add = (name: string): void => {
    const given = Object.hasOwn(properties, name) ? (properties[name] as Json) : {};
    // Null is nothing in an address.
    const value = valueOf(given, { ...wanted, isPlain: isPlain(name) });
    if (value !== undefined) Object.defineProperty(args, name, { value, ...plainMember });
  };
  for (const name of Object.keys(properties)) if (kind === 'all' || required.includes(name)) add(name);
  for (let repair = 0; repair < REPAIRS; repair += 1) {
    if (validate(args)) return args;
    if (!mended(args, validate.errors ?? [], add, wanted)) return undefined;
  }
  return undefined;
}

const plainMember = { enumerable: true, configurable: true, writable: true };

/** Mends what one error says of the arguments; false where nothing can be done about it. */
function mended(
  args: Record<string, unknown>,
  errors: readonly ErrorObject[],
  add: (name: string) => void,
  wanted: Wanted,
): boolean {
  for (const { keyword, instancePath, params, parentSchema } of errors) {
    const holder = at(args, instancePath);
    const missing = params['missingProperty'] as string | undefined;
    if (missing !== undefined && isObject(holder)) {
      if (Object.hasOwn(holder, missing)) continue;
      if (holder === args) add(missing);
      else holder[missing] = valueOf(member(parentSchema, missing), wanted) ?? null;
      return true;
    }
    const unknown = (params['additionalProperty'] ?? params['unevaluatedProperty']) as string | undefined;
    if (unknown !== undefined && isObject(holder)) return Reflect.deleteProperty(holder, unknown);
    if (keyword === 'false schema' || keyword === 'not' || keyword === 'maxProperties') {
      const [path, name] = lastStep(instancePath);
      const outer = at(args, path);
      if (isObject(outer) && name !== undefined) return Reflect.deleteProperty(outer, name);
    }
  }
  return false;
}

function member(schema: unknown, name: string): Json {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && Object.hasOwn(properties, name) ? (properties[name] as Json) : {};
}

const stepsIn = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

function lastStep(pointer: string): readonly [string, string | undefined] {
  const end = pointer.lastIndexOf('/');
  return [pointer.slice(0, Math.max(end, 0)), stepsIn(pointer).at(-1)];
}

function at(value: unknown, pointer: string): unknown {
  let found = value;
  for (const step of stepsIn(pointer)) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}
