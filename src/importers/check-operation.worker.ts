import type { Json, JsonObject } from '../documents/json.js';
import { readGraphqlSchema } from '../formats/shared.js';
import type { Fault } from '../kernel/errors.js';
import { unpackText } from '../platform/database/packed-text.js';
import { checkGraphqlCall, type GraphqlCall } from '../registry/shared.js';

/** An operation, the arguments that it takes, and the schema of its API as it is stored. */
export interface OperationTask {
  readonly call: GraphqlCall;
  readonly inputSchema: JsonObject;
  readonly packed: string;
}

/** Holds an operation against the stored schema of its API. */
export async function checkOperation({
  call,
  inputSchema,
  packed,
}: OperationTask): Promise<readonly Fault[]> {
  const text = await unpackText(packed);
  return checkGraphqlCall(call, inputSchema, readGraphqlSchema(introspected(text) ?? text)).faults;
}

/** The answer to an introspection query is JSON; SDL never is. */
function introspected(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
