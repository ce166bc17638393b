import type { JsonObject } from '../../documents/json.js';
import type { Fault } from '../../kernel/errors.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import type { GraphqlCall, KeptCall } from '../../registry/shared.js';

/** What an operation comes to that a spec says, or what is wrong with it. */
export interface CheckedOperation {
  readonly call?: KeptCall;
  /** Pointers are those of the spec. */
  readonly faults: readonly Fault[];
}

/** Port to what reads the schemas of APIs: that may take a second, so it is done in a process of its own. */
export abstract class Operations {
  /**
   * Holds an operation against the schema of the API that it names, and its variables, for all shapes of the arguments,
   * against its types.
   */
  abstract checked(
    visibility: Visibility,
    call: GraphqlCall,
    inputSchema: JsonObject,
  ): Promise<CheckedOperation>;
}
