import type { AnySchema } from 'ajv/dist/2020.js';
import type { Fault } from '../../documents/findings.js';
import { below, entriesOf, isObject, member, type Json, type JsonObject } from '../../documents/json.js';
import { faultsOf } from '../../platform/validation/faults.js';
import { BoundedAjv } from '../../platform/validation/validator.js';
import type { ToolSpec } from '../specs/tool-spec.js';

type RuleFault = Fault & { readonly rule: string };

/**
 * Lists examples and defaults that the spec's own schemas refuse. The schemas are compiled, so this is for those that are one's own:
 * what others send is looked at as a value only.
 */
export function exampleFaults(spec: ToolSpec): readonly RuleFault[] {
  return [
    ...defaultFaults(spec.inputSchema),
    ...spec.examples.flatMap(({ arguments: given, result }, place) => [
      ...(given === undefined
        ? []
        : refusals(spec.inputSchema, given, below('/examples', place, 'arguments'))),
      ...(result === undefined || spec.outputSchema === null
        ? []
        : refusals(spec.outputSchema, result, below('/examples', place, 'result'))),
    ]),
  ].map((fault) => ({ ...fault, rule: fault.rule ?? 'example' }));
}

function defaultFaults(schema: JsonObject): (Fault & { rule?: string })[] {
  return entriesOf(schema['properties']).flatMap(([name, property]) => {
    const value = member(property, 'default');
    if (value === undefined) return [];
    const pointer = below('/inputSchema/properties', name, 'default');
    // References lead to places of the whole schema.
    const own = { $defs: schema['$defs'] ?? {}, definitions: schema['definitions'] ?? {} };
    const inner = isObject(property) ? { ...property, ...own } : property;
    return refusals(inner, value, pointer).map((fault) => ({ ...fault, rule: 'default' }));
  });
}

function refusals(schema: Json, value: Json, pointer: string): (Fault & { rule?: string })[] {
  const ajv = new BoundedAjv({ strict: false, logger: false });
  const errors = ajv.compile(schema as AnySchema)(value);
  return faultsOf(errors).map((fault) => ({ ...fault, pointer: pointer + fault.pointer }));
}
