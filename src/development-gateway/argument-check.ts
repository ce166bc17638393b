import { type Arguments, CallFault } from './call-result.js';
import { schemaFaults } from './schema-faults.js';

/** Why arguments do not fit, each with its place. Throws CallFault `not_sent` where the schema itself is of no use. */
export function argumentFaults(inputSchema: object, args: Arguments): readonly string[] {
  try {
    return schemaFaults(inputSchema, args);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CallFault(
      'not_sent',
      `The arguments can't be checked, so no request was sent: the input schema in the catalog is at fault, not the server (${reason.slice(0, 300)}).`,
    );
  }
}
