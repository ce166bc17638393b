import type { ScopeFacts } from '../../formats/endpoint-facts.js';

/** Where one argument goes on the wire, as importers of API descriptions found it (docs/contract.md, section 4). */
export interface ParameterRoute {
  readonly in: string;
  readonly name: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly mediaType?: string;
}

/** An entry of `mcp-router.tools`: what a gateway needs to list, call and guard one tool (docs/contract.md, section 9). */
export interface RouterTool {
  readonly name: string;
  readonly endpointName?: string;
  readonly description: string;
  /** Scheme that the downstream service is called over. */
  readonly protocol: string;
  readonly serviceId?: string;
  readonly envTag: string;
  readonly targetHost?: string;
  /** Templated path; for `call` the name that is called. */
  readonly path: string;
  /** Lower-case HTTP method, or `call`. */
  readonly method: string;
  readonly endpoint: string;
  readonly endpointId?: string;
  readonly apiType?: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Any of the sets, all of a set. */
  readonly scopes?: readonly (readonly ScopeFacts[])[];
  /** The fixed text that a GraphQL operation is, sent with the arguments as its variables. */
  readonly graphql?: { readonly operationName: string; readonly document: string };
  readonly toolMetadata: {
    readonly routing: {
      readonly sensitivityTier: string;
      readonly parameters: Readonly<Record<string, ParameterRoute>>;
    };
    readonly safety: {
      readonly read_only: boolean;
      readonly idempotent: boolean;
      readonly destructive: boolean;
      readonly humanApprovalRequired: boolean;
    };
    readonly policy: { readonly maxSensitivityTier: string; readonly approvalWorkflow?: string };
    readonly runtime?: {
      /** How to authenticate downstream: the name of a secret. */
      readonly auth?: { readonly type: 'bearer'; readonly secret: string };
    };
    readonly lifecycle: { readonly version: string; readonly status: string };
  };
}
