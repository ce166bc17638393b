import { v5 } from 'uuid';
import { isObject, type JsonObject } from '../../documents/json.js';
import {
  readOperation,
  type ApiSchema,
  writtenOperation,
  type WrittenOperation,
} from '../../formats/shared.js';
import type { Fault } from '../../kernel/errors.js';
import { sampleValues } from './sample-values.js';
import { filledObject, referencesIn, type Scope } from './template.js';

/** A GraphQL operation that a tool carries out, and how its arguments become the variables. */
export interface GraphqlCall {
  /** The apiId of the API that answers, or apiId@version. */
  readonly api: string;
  readonly operation: string;
  readonly operationName?: string;
  readonly variables?: JsonObject;
  /** Parameters whose null is sent; of others it counts as left out. */
  readonly keepNull?: readonly string[];
}

/** What is kept of it with a version of a tool: all that whoever carries it out needs. */
export interface KeptCall extends GraphqlCall {
  readonly operationName: string;
  readonly apiVersionId: string;
  /** What the operation costs, by fields or by the weights of its schema; versions of before it was kept lack it. */
  readonly cost?: number;
}

/** The ids of the endpoints that a call reaches: one for each field at the root of its operation. Guards of the tool follow from them. */
export function endpointsCalled({ apiVersionId, ...call }: Omit<KeptCall, 'cost'>): readonly string[] {
  const read = readOperation(call);
  return typeof read === 'string' ? [] : read.endpoints.map((key) => v5(key, apiVersionId));
}

/** The call as a spec says it. */
export function writtenCall({ api, operation, operationName, variables, keepNull }: KeptCall): GraphqlCall {
  return {
    ...{ api, operation, operationName },
    ...(variables !== undefined && { variables }),
    ...(keepNull !== undefined && { keepNull }),
  };
}

/** The call with the field that it is answered under; undefined where its operation can't be read. */
export function keptCall(
  call: GraphqlCall,
  found: Pick<KeptCall, 'apiVersionId' | 'cost'>,
): KeptCall | undefined {
  const read = readOperation(call);
  return typeof read === 'string' ? undefined : { ...call, operationName: read.field, ...found };
}

/** Most faults of a mapping that are told. */
export const MOST_FAULTS = 20;

/** Makes the variables of a call: of arguments that fit the input schema, or may. */
export function variablesOf(
  { variables = {}, keepNull }: Pick<GraphqlCall, 'variables' | 'keepNull'>,
  scope: Scope,
): JsonObject {
  return filledObject(variables, scope, keepNull);
}

/** The arguments by name, with the defaults of those that were left out. */
export function scopeOf(inputSchema: JsonObject, args: JsonObject): Scope {
  const { properties } = inputSchema;
  const defaults = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, schema]) =>
    isObject(schema) && schema['default'] !== undefined ? [[name, schema['default']] as const] : [],
  );
  return Object.fromEntries([...defaults, ...Object.entries(args)]);
}

/** What holding a call against its API comes to. */
export interface TriedCall {
  readonly faults: readonly Fault[];
  /** Schemas that branch too often to be tried, so that nothing is known of them: a push refuses them, an import lets them be. */
  readonly untried: readonly Fault[];
}

export const untriedArguments: Fault = {
  pointer: '/inputSchema',
  detail:
    'branches too often to be tried: its alternatives and references come to more shapes of arguments than can be held against the call. Write fewer anyOf, oneOf and allOf, and let none of them refer to the schema that it stands in.',
};

/**
 * Holds an operation against the schema of its API, and its variables for all shapes of the arguments against the types
 * that the operation declares.
 */
export function checkGraphqlCall(
  call: GraphqlCall,
  inputSchema: JsonObject,
  schema: ApiSchema,
): TriedCall & { readonly operation?: WrittenOperation } {
  const operation = writtenOperation(call, schema);
  if (isListOfTexts(operation)) {
    const faults = operation.map((detail) => ({ pointer: '/graphql/operation', detail }));
    return { faults, untried: [] };
  }
  const asked = referencesIn(call.variables, '').flatMap(({ path }) => path);
  const values = sampleValues(inputSchema, asked);
  if (values === undefined) return { faults: [], untried: [untriedArguments], operation };
  const scopes = values.filter(isObject).map((args) => scopeOf(inputSchema, args));
  return { faults: variableFaults(operation, call, scopes, '/graphql/variables'), untried: [], operation };
}

/** What the types of the operation do not take of the variables that are made of these arguments and results. */
export function variableFaults(
  operation: WrittenOperation,
  call: GraphqlCall,
  scopes: Iterable<Scope>,
  pointer: string,
): readonly Fault[] {
  const found = new Map<string, Scope>();
  for (const scope of scopes) {
    if (found.size >= MOST_FAULTS) break;
    for (const fault of operation.variableFaults(variablesOf(call, scope)))
      if (!found.has(fault)) found.set(fault, scope);
  }
  return [...found].slice(0, MOST_FAULTS).map(([fault, scope]) => ({
    pointer,
    detail: `${fault} The arguments were ${shortened(JSON.stringify(scope))}; say in inputSchema what may come, or map it otherwise.`,
  }));
}

const isListOfTexts = (value: object): value is readonly string[] => Array.isArray(value);
const shortened = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);
