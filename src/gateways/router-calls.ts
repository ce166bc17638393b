/** What a gateway carries out for a tool whose spec says it: one operation of GraphQL, or one of several over APIs of any kind. Pure. */
import type { JsonObject } from '../documents/json.js';
import type { EndpointRecord } from '../endpoints/public.js';
import type { ScopeFacts } from '../formats/shared.js';
import type { KeptCall, KeptComposite, KeptStep } from '../registry/shared.js';

/** Where one argument goes in the request (docs/contract.md, section 4). */
export interface ParameterRoute {
  readonly in: string;
  readonly name: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly mediaType?: string;
  /** Of a part of a multipart body or a field of a form: its own media type. */
  readonly partType?: string;
  /** Of a member of the body: that the body is sent though no argument goes into it. */
  readonly always?: boolean;
}

/** The fixed text that a GraphQL operation is. */
export interface RouterOperation {
  /** Its own name, where it has one. */
  readonly operationName?: string;
  readonly document: string;
  /** The member of `data` that is the result; left out where that is all of `data`. */
  readonly field?: string;
  /** How the variables are made of the arguments; left out where these are the variables. */
  readonly variables?: JsonObject;
  /** Parameters whose null is sent; of others it counts as left out. */
  readonly keepNull?: readonly string[];
  /** What it costs, by fields or by the weights of its schema; of written operations. */
  readonly cost?: number;
}

/** Several operations, of which a call carries out one alternative: the parameter `by` says which. */
export interface RouterComposite {
  readonly by: string;
  readonly alternatives: readonly { readonly when: string; readonly steps: readonly RouterStep[] }[];
}

/** One request. Steps go in their order, and only the last may change something. */
export interface RouterStep {
  /** Names its result for the steps after it. */
  readonly id: string;
  /** The API that it goes to: its apiId, or apiId@version. */
  readonly api: string;
  readonly changes: boolean;
  /** Paths into its result without which the call ends. */
  readonly needs?: readonly string[];
  readonly graphql?: RouterOperation;
  readonly endpoint?: RouterEndpoint;
}

/** The endpoint of HTTP that a step calls. */
export interface RouterEndpoint {
  readonly name: string;
  /** Its key, like /tickets/{id}@get. */
  readonly endpoint: string;
  readonly endpointId: string;
  readonly method: string;
  readonly path: string;
  readonly inputSchema: JsonObject;
  readonly parameters: Readonly<Record<string, ParameterRoute>>;
  /** How its arguments are made of those of the tool and of results before. */
  readonly arguments: JsonObject;
  readonly keepNull?: readonly string[];
  /** What its answer is held against, where the author of the tool says it. */
  readonly result?: JsonObject;
  /** A caller needs all scopes of one of the sets. */
  readonly scopes?: readonly (readonly ScopeFacts[])[];
}

/** The operation that a spec says. */
export function writtenOperationOf({
  operation: document,
  operationName: field,
  variables = {},
  keepNull,
  cost,
}: KeptCall): RouterOperation {
  return {
    ...{ document, field, variables },
    ...(keepNull !== undefined && { keepNull }),
    ...(cost !== undefined && { cost }),
  };
}

/** The composite, with the endpoints as the catalog has them now; undefined where one of them is gone. */
export function routerComposite(
  { by, alternatives }: KeptComposite,
  endpoints: ReadonlyMap<string, EndpointRecord>,
): RouterComposite | undefined {
  const written = alternatives.map(({ when, steps }) => ({
    when,
    steps: steps.flatMap((step) => routerStep(step, endpoints) ?? []),
  }));
  const isWhole = written.every(({ steps }, place) => steps.length === alternatives[place]?.steps.length);
  return isWhole ? { by, alternatives: written } : undefined;
}

function routerStep(
  { id, changes, needs, graphql, endpoint }: KeptStep,
  endpoints: ReadonlyMap<string, EndpointRecord>,
): RouterStep | undefined {
  const common = { id, changes, ...(needs !== undefined && { needs }) };
  if (graphql !== undefined) return { ...common, api: graphql.api, graphql: writtenOperationOf(graphql) };
  const known = endpoint && endpoints.get(endpoint.endpointId);
  if (endpoint === undefined || known === undefined) return undefined;
  const { name, method, path, inputSchema, routing, scopes } = known.facts;
  const { api, endpoint: key, endpointId, arguments: given = {}, keepNull, result } = endpoint;
  return {
    ...{ ...common, api },
    endpoint: {
      ...{ name, endpoint: key, endpointId, method, path },
      inputSchema: inputSchema as JsonObject,
      parameters: (routing.parameters ?? {}) as unknown as RouterEndpoint['parameters'],
      arguments: given,
      ...(keepNull !== undefined && { keepNull }),
      ...(result !== undefined && { result }),
      ...(scopes.length > 0 && { scopes }),
    },
  };
}
