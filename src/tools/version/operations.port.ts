import type { JsonObject } from '../../documents/json.js';
import type { Fault } from '../../kernel/errors.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import type { CompositeCall, GraphqlCall, KeptCall, KeptComposite } from '../../registry/shared.js';

/** What an operation comes to that a spec says, or what is wrong with it. */
export interface CheckedOperation<Kept = KeptCall> {
  readonly call?: Kept;
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

  /** Holds the steps of a composite against their APIs, and what is made of the arguments and of results against their types. */
  abstract checkedSteps(
    visibility: Visibility,
    composite: CompositeCall,
    spec: { readonly inputSchema: JsonObject; readonly readOnlyHint: boolean },
  ): Promise<CheckedOperation<KeptComposite>>;
}
