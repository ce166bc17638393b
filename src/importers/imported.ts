import type { DocumentWarning } from '../documents/findings.js';
import type { JsonObject } from '../documents/json.js';
import type { EndpointFacts, RoutingFacts } from '../formats/endpoint-facts.js';

/**
 * What an importer makes of a document, whatever its format: the common ground between the formats and the
 * catalog. Plain JSON throughout (it crosses a thread boundary).
 */

export type DocumentFormat = 'openapi' | 'mcp' | 'lightapi' | 'openrpc' | 'grpc' | 'graphql';

/** Where one property of the logical input schema goes on the wire. */
export interface ParameterRoute {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body' | 'argument';
  /**
   * Name on the wire; the empty string for a body that is no object (property `body`), and for a parameter that is the
   * whole query string (OpenAPI 3.2). Arguments without a route, where the schema admits them, are members of the body.
   */
  readonly name: string;
  /** OpenAPI serialization, where it is not the default of the location. */
  readonly style?: string;
  readonly explode?: boolean;
  /** Where it is not `application/json` in a body; of a parameter that is encoded in a media type. */
  readonly mediaType?: string;
}

/** One security scheme that a call needs, with the scopes it needs of it; none of a scheme that knows no scopes. */
export interface ImportedScope {
  /** Name of the scheme in the document. */
  readonly scheme: string;
  readonly scopes: readonly string[];
  /** What the document says of these scopes, by scope. */
  readonly descriptions?: Readonly<Record<string, string>>;
}

export interface ImportedEndpoint {
  /** Endpoint key: `/accounts/{accountNo}@get`, `<toolName>@call` (contract 4). */
  readonly key: string;
  /** Lower-case HTTP method, or `call`. */
  readonly method: string;
  /** Templated path; for `call` the name that is called. */
  readonly path: string;
  /** Name for a tool: fits `^[A-Za-z0-9_-]{1,64}$` and is unique in the document. */
  readonly name: string;
  /** Operation id or tool name as the document has it. */
  readonly sourceName?: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema 2020-12 object that stands alone. */
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly parameters: Readonly<Record<string, ParameterRoute>>;
  readonly safety: {
    readonly readOnly: boolean;
    readonly idempotent: boolean;
    readonly destructive: boolean;
    readonly humanApprovalRequired?: boolean;
  };
  /** Words on its meaning, where the source has any. */
  readonly routing?: RoutingFacts;
  readonly lifecycleStatus: 'active' | 'deprecated';
  readonly tags: readonly string[];
  /**
   * Security requirements: one of the sets is enough, all of its members are needed. An empty set: the call may be
   * anonymous, too. No set at all: nothing is required.
   */
  readonly scopes: readonly (readonly ImportedScope[])[];
  /** Members of the source worth keeping: MCP `annotations`, `icons`, `_meta`; OpenAPI `servers`, `externalDocs`. */
  readonly extras: JsonObject;
}

/** What a document says of an endpoint that another document says how to call. */
export interface ImportedOperation {
  /** The endpoint's key where it enriches none. */
  readonly key: string;
  /** The key that it had in versions of this program that made another one of it. */
  readonly formerKey?: string;
  /** Whether it is called over HTTP; else it is one that is called by name. */
  readonly isHttp: boolean;
  /** Variables of its path that no input fills. */
  readonly unfilled: readonly string[];
  /** How the source may call the endpoint, or its tool. */
  readonly operationId: string;
  /** Key of the endpoint, where the document says it, and that of its method and path. */
  readonly named?: string;
  readonly called?: string;
  readonly facts: EndpointFacts;
  /** What holds of it because it holds of the API, or because the part on the API names it. */
  readonly inherited: EndpointFacts;
  /** The API version that the operation was exported from, where nobody has altered it since. */
  readonly exportedFrom?: string;
}

export interface ImportedEnrichment {
  readonly operations: readonly ImportedOperation[];
  /** What holds of every endpoint of the API that no operation speaks of. */
  readonly inherited: EndpointFacts;
  /** Whether the document speaks of the whole API, or of its operations alone. */
  readonly wholeApi: boolean;
  /** As with an operation, of what is said of the API. */
  readonly exportedFrom?: string;
}

export interface ImportedDocument {
  readonly format: DocumentFormat;
  /** `3.1.0`, `2025-11-25`, `proto3`, …; where the document does not say, the version that it is read by. */
  readonly formatVersion: string;
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  /** Ordered by key, code point by code point; no key twice. */
  readonly endpoints: readonly ImportedEndpoint[];
  /** Where the document can speak of endpoints that have another source. */
  readonly enrichment?: ImportedEnrichment;
  readonly warnings: readonly DocumentWarning[];
}
