import { BoundedAjv, type Check } from '../platform/validation/bounded-ajv.js';
import { faultsOf } from '../platform/validation/faults.js';
import type { RouterTool } from '../gateways/mcp-router/router-tool.js';
import type { Arguments } from './call-fault.js';

/** Defaults are not filled in: what is not said is left to the service. Formats are notes to the model. */
const options = { strict: false, validateFormats: false } as const;
const compiled = new WeakMap<object, Check>();

/** What is wrong with the arguments of a call, fault by fault; nothing where they fit the tool's input schema. */
export function faultsOfArguments({ inputSchema }: RouterTool, args: Arguments): readonly string[] {
  const check = compiled.get(inputSchema) ?? new BoundedAjv(options).compile(inputSchema);
  compiled.set(inputSchema, check);
  return faultsOf(check(args))
    .slice(0, 20)
    .map(({ pointer, detail }) => `${pointer || '/'} ${detail}`);
}
