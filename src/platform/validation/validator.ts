import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Fault } from '../../eventsourcing/errors.js';
import { faultsOf } from './faults.js';

/** Gives every fault of a value; fills the schema's defaults into it. */
export type Validator = (value: unknown) => readonly Fault[];

/** Ids are compared as texts everywhere, so there is one way to write them. */
const canonicalUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function newAjv(coerceTypes: boolean | 'array'): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    ownProperties: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    strictTuples: false,
    coerceTypes,
  });
  ajvFormats.default(ajv);
  ajv.addFormat('uuid', canonicalUuid);
  return ajv;
}

const exact = newAjv(false);
const coercing = newAjv('array');

/** For JSON: types are taken as they are. Throws where the schema itself is wrong. */
export function jsonValidator(schema: JSONSchema): Validator {
  return validatorOf(exact, schema);
}

/** For queries and environments, where all that comes is text: `"5"` is 5 where a number is asked for. */
export function textValidator(schema: JSONSchema): Validator {
  return validatorOf(coercing, schema);
}

function validatorOf(ajv: Ajv2020, schema: JSONSchema): Validator {
  const validate = ajv.compile(schema as AnySchema);
  return (value) => (validate(value) ? [] : faultsOf(validate.errors ?? []));
}

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && canonicalUuid.test(text);
}
