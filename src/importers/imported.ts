/**
 * What an importer makes of a document, whatever its format: the common ground between the formats and the
 * catalog. Plain JSON throughout (it crosses a thread boundary).
 */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [member: string]: Json;
}

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
  };
  readonly lifecycleStatus: 'active' | 'deprecated';
  readonly tags: readonly string[];
  /** Any-of sets of scopes, `[["account.r"], ["admin"]]`; empty where none are required. */
  readonly scopes: readonly (readonly string[])[];
  /** Members of the source worth keeping: MCP `annotations`, `icons`, `_meta`; OpenAPI `servers`, `externalDocs`. */
  readonly extras: JsonObject;
}

/** Something about the document that its owner should know; the import went on. */
export interface ImportWarning {
  readonly code: string;
  /** RFC 6901 pointer into the document. */
  readonly pointer: string;
  readonly detail: string;
}

export interface ImportedDocument {
  readonly format: DocumentFormat;
  /** `3.1.0`, `2025-11-25`, … or the empty string where the document does not say. */
  readonly formatVersion: string;
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  /** Ordered by key, code point by code point; no key twice. */
  readonly endpoints: readonly ImportedEndpoint[];
  readonly warnings: readonly ImportWarning[];
}

/** The document can't be read at all. `detail` says what is wrong, where (line and column), and what to do. */
export class UnreadableDocument extends Error {
  constructor(
    readonly code: string,
    readonly detail: string,
    /** RFC 6901, where the fault has a place in a parsed document. */
    readonly pointer: string = '',
  ) {
    super(detail);
  }
}
