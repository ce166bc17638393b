import type { Json, JsonObject } from '../documents/json.js';
import { readGraphqlSchema, type ApiSchema } from '../formats/shared.js';
import { unpackText } from '../platform/database/packed-text.js';
import {
  type CheckedComposite,
  checkComposite,
  checkGraphqlCall,
  type CompositeCall,
  type EndpointShape,
  type GraphqlCall,
} from '../registry/shared.js';

/** An operation, the arguments that it takes, and the schema of its API as it is stored. */
export interface OperationTask {
  readonly call: GraphqlCall;
  readonly inputSchema: JsonObject;
  readonly packed: string;
}

export interface OperationResult extends Pick<CheckedComposite, 'faults' | 'untried'> {
  /** By fields, or by the weights of the schema; of an operation that the schema takes. */
  readonly cost?: number;
}

/** Operations that are all of one API, and its schema as it is stored. */
export interface OperationsTask {
  readonly calls: readonly Omit<OperationTask, 'packed'>[];
  readonly packed: string;
}

export interface OperationsResult {
  /** In the order of the calls. */
  readonly results: readonly OperationResult[];
}

/** Holds an operation against the stored schema of its API. */
export async function checkOperation({ packed, ...call }: OperationTask): Promise<OperationResult> {
  const { results } = await checkOperations({ calls: [call], packed });
  const [result = { faults: [], untried: [] }] = results;
  return result;
}

/** Holds operations against the stored schema of their API. */
export async function checkOperations({ calls, packed }: OperationsTask): Promise<OperationsResult> {
  const schema = await schemaIn(packed);
  const results = calls.map(({ call, inputSchema }) => {
    const { faults, untried, operation } = checkGraphqlCall(call, inputSchema, schema);
    return { faults, untried, ...(operation !== undefined && { cost: operation.cost }) };
  });
  return { results };
}

/** A composite, what its spec says beside it, and what is stored of the APIs that it calls. */
export interface CompositeTask {
  readonly composite: CompositeCall;
  readonly inputSchema: JsonObject;
  readonly readOnlyHint: boolean;
  /** Schemas of GraphQL by the name of the API, as the steps write it. */
  readonly schemas: readonly (readonly [api: string, packed: string])[];
  readonly endpoints: readonly (readonly [name: string, shape: EndpointShape])[];
}

/** Holds every step of a composite against what its API says. */
export async function checkSteps({
  composite,
  schemas,
  endpoints,
  ...described
}: CompositeTask): Promise<CheckedComposite> {
  const apis = new Map<string, ApiSchema>();
  for (const [api, packed] of schemas) apis.set(api, await schemaIn(packed));
  return checkComposite(composite, described, { apis, endpoints: new Map(endpoints) });
}

/** The schema that was read last, by what is stored of it: one task after the other holds something against the same. */
let last: { readonly packed: string; readonly schema: ApiSchema } | undefined;

async function schemaIn(packed: string): Promise<ApiSchema> {
  if (last?.packed === packed) return last.schema;
  const text = await unpackText(packed);
  const schema = readGraphqlSchema(introspected(text) ?? text);
  last = { packed, schema };
  return schema;
}

/** The answer to an introspection query is JSON; SDL never is. */
function introspected(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
