import { faultsOf } from '../platform/validation/faults.js';
import { BoundedAjv, type Check } from '../platform/validation/validator.js';

/** Fills in no defaults, which are the service's, does not check formats, and sees no member that every object inherits. */
const options = { strict: false, validateFormats: false, ownProperties: true } as const;
const compiled = new WeakMap<object, Check>();

/** Why a value does not fit the schema of a tool, each with its place; none where it does. */
export function schemaFaults(schema: object, value: unknown): readonly string[] {
  const check = compiled.get(schema) ?? new BoundedAjv(options).compile(schema);
  compiled.set(schema, check);
  return faultsOf(check(value))
    .slice(0, 20)
    .map(({ pointer, detail }) => `${pointer || '/'} ${detail}`);
}

/** Why a result does not fit: nothing where the schema itself is of no use, since the call was carried out. */
export function resultFaults(schema: object, value: unknown): readonly string[] {
  try {
    return schemaFaults(schema, value);
  } catch {
    return [];
  }
}
