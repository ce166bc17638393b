import type { AnySchema } from 'ajv/dist/2020.js';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Fault } from '../../eventsourcing/errors.js';
import { LazyValidators } from '../../eventsourcing/lazy-validators.js';
import { BoundedAjv, type Check } from './bounded-ajv.js';
import { faultsOf } from './faults.js';

const none: readonly Fault[] = [];

/** Gives the faults of a value, the first hundred and how many there are; fills the schema's defaults into it. Throws where the schema itself is wrong. */
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

/** Compiles what no request has needed so far, one validator a step. */
export function* compileValidatorsAhead(): Generator<void> {
  yield* exact.compileAhead();
  yield* coercing.compileAhead();
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && canonicalUuid.test(text);
}
