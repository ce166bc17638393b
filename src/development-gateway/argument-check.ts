import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { faultsOf } from '../platform/validation/faults.js';
import type { RouterTool } from '../gateways/mcp-router/router-tool.js';
import type { Arguments } from './call-fault.js';

/** Defaults are not filled in: what is not said is left to the service. Formats are notes to the model. */
const options = { allErrors: true, verbose: true, strict: false, validateFormats: false } as const;
const compiled = new WeakMap<object, ValidateFunction>();

/** What is wrong with the arguments of a call, fault by fault; nothing where they fit the tool's input schema. */
export function faultsOfArguments({ inputSchema }: RouterTool, args: Arguments): readonly string[] {
  const validate = compiled.get(inputSchema) ?? new Ajv2020(options).compile(inputSchema);
  compiled.set(inputSchema, validate);
  if (validate(args)) return [];
  return faultsOf(validate.errors ?? [])
    .slice(0, 20)
    .map(({ pointer, detail }) => `${pointer || '/'} ${detail}`);
}
