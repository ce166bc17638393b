import { isRounded } from '../../packages/schema-reading/numbers.js';
import { pointerStep } from '../platform/validation/faults.js';
import { type Arguments, CallFault } from './call-result.js';
import { schemaFaults } from './schema-faults.js';

/** Why arguments do not fit, each with its place. Throws CallFault `not_sent` where the schema itself is of no use. */
export function argumentFaults(inputSchema: object, args: Arguments): readonly string[] {
  try {
    return [...schemaFaults(inputSchema, args), ...roundedNumbers(args)];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallFault(
      'not_sent',
      `The arguments can't be checked, so no request was sent: the input schema in the catalog is at fault, not the server (${reason.slice(0, 300)}).`,
    );
  }
}

/** Integers that JSON does not carry: which of them was meant, nobody knows any more. */
function roundedNumbers(value: unknown, pointer = ''): readonly string[] {
  if (typeof value === 'number' && isRounded(value))
    return [
      `${pointer} is beyond what a number of JSON carries exactly (2^53), so another one might arrive: give it as text where the API takes one`,
    ];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => roundedNumbers(inner, pointer + pointerStep(name)));
}
