import ajvFormats from 'ajv-formats';
import { Ajv2020, type AnySchema, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Fault } from '../../kernel/errors.js';
import { LazyValidators } from '../../kernel/lazy-validators.js';
import { faultsOf, MAX_COUNTED } from './faults.js';
import { compareByMembers } from './json-equality.js';

/** Lists the errors of a value in order, about {@link MAX_COUNTED} at most; fills in the schema's defaults where the options say so. */
export type Check = (value: unknown) => readonly ErrorObject[];

/**
 * Limits the number of ajv's errors, for which it has no option: a list of half a million wrong items would make as many and keep
 * them, with their values, until the next call.
 *
 * One validator decides, and stops at the first error. Another lists the errors of what was refused, and stops its loops as soon as
 * there are enough; that can mislead it in branches (`anyOf`, `if`), so it does not decide.
 */
export class BoundedAjv {
  private readonly deciding: Ajv2020;
  private listing: Ajv2020 | undefined;

  constructor(
    private readonly options: Options,
    private readonly formats: Readonly<Record<string, RegExp>> = {},
  ) {
    this.deciding = this.open(false, withoutValues);
  }

  /** Throws where the schema itself is wrong. */
  compile(schema: AnySchema): Check {
    const decide = compiledBy(this.deciding, schema);
    let list: typeof decide | undefined;
    return (value) => {
      if (decide(value)) return [];
      this.listing ??= this.open(true, (code) => withoutValues(endingLoops(code)));
      list ??= compiledBy(this.listing, schema);
      const listed = list(value) ? null : list.errors;
      const found = listed ?? decide.errors ?? [];
      decide.errors = list.errors = null;
      return found;
    };
  }

  private open(allErrors: boolean, process: (code: string) => string): Ajv2020 {
    const ajv = new Ajv2020({ ...this.options, verbose: true, allErrors, code: { process } });
    ajvFormats.default(ajv);
    compareByMembers(ajv);
    for (const [name, format] of Object.entries(this.formats)) ajv.addFormat(name, format);
    return ajv;
  }
}

/**
 * Compiles a schema without notes of what was evaluated where it does not ask for them (`unevaluatedProperties`, `unevaluatedItems`):
 * ajv 8 makes code for them that fails on some schemas (`patternProperties` beside `anyOf` with `true`), whatever the value.
 */
function compiledBy(ajv: Ajv2020, schema: AnySchema) {
  ajv.opts.unevaluated = JSON.stringify(schema).includes('"unevaluated');
  return ajv.compile(schema);
}

/** Stops the loops of the code that ajv makes when there are enough errors. */
function endingLoops(code: string): string {
  return code.replaceAll(/\bfor ?\([^{}]*\)\{/g, (loop) => `${loop}if(errors>=${String(MAX_COUNTED)})break;`);
}

/** Leaves values out of the errors that ajv makes: of `verbose` only the schema is wanted. */
function withoutValues(code: string): string {
  return code.replaceAll(/,data:\w+\}/g, '}');
}

const none: readonly Fault[] = [];

/** Lists the faults of a value and fills in the schema's defaults. Throws where the schema itself is wrong. */
export type Validator = (value: unknown) => readonly Fault[];

/** Ids are compared as texts everywhere, so there is one way to write them. */
const canonicalUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function compiling(coerceTypes: false | 'array'): LazyValidators<Check> {
  const ajv = new BoundedAjv(
    {
      useDefaults: true,
      // Parsed JSON inherits members; a parsed query has no prototype.
      ownProperties: coerceTypes === false,
      strict: true,
      strictTypes: false,
      strictRequired: false,
      strictTuples: false,
      coerceTypes,
    },
    { uuid: canonicalUuid },
  );
  return new LazyValidators((schema) => ajv.compile(schema));
}

const exact = compiling(false);
const coercing = compiling('array');

/** For JSON: types are taken as they are. */
export function jsonValidator(schema: JSONSchema): Validator {
  return validatorOf(exact, schema);
}

/** For queries and environments, where all that comes is text: `"5"` is 5 where a number is asked for. */
export function textValidator(schema: JSONSchema): Validator {
  const validate = validatorOf(coercing, schema);
  const numbers = integersOf(schema);
  return (value) => {
    for (const name of numbers) refuseOddSpelling(value as Record<string, unknown>, name);
    return validate(value);
  };
}

/** Names of the properties that must be whole numbers. */
function integersOf(schema: JSONSchema): readonly string[] {
  const properties = typeof schema === 'object' ? (schema.properties ?? {}) : {};
  return Object.entries(properties)
    .filter(([, property]) => typeof property === 'object' && property.type === 'integer')
    .map(([name]) => name);
}

/** Coercion would take `0x5`, `1e400` and what no number holds exactly. */
function refuseOddSpelling(value: Record<string, unknown>, name: string): void {
  const text = value[name];
  if (typeof text === 'string' && !/^-?[0-9]{1,15}$/.test(text)) value[name] = 'no whole number';
}

function validatorOf(validators: LazyValidators<Check>, schema: JSONSchema): Validator {
  const compiled = validators.of(schema as AnySchema);
  return (value) => {
    const errors = compiled()(value);
    return errors.length === 0 ? none : faultsOf(errors);
  };
}

/** Compiles validators before a request needs them, one a step. */
export function* compileValidatorsAhead(): Generator<void> {
  yield* exact.compileAhead();
  yield* coercing.compileAhead();
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && canonicalUuid.test(text);
}
