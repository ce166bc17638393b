import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';

/**
 * What JSON Schema says of a value, for laws over random schemas, which never ask for what was evaluated: ajv's code for that fails on
 * some of them.
 */
export function oracleOf(schema: AnySchema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false });
  ajv.opts.unevaluated = false;
  const check = ajv.compile(schema);
  return (value) => check(value) === true;
}
