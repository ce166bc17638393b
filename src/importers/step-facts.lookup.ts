import type { JsonObject } from '../documents/json.js';
import { type EndpointRecord, endpointsById, specOf } from '../endpoints/public.js';
import type { Sql } from '../kernel/sql.js';
import { endpointName, type EndpointShape, type KeptComposite } from '../registry/shared.js';

/** What a document makes of an API version: its schema, where it is one of GraphQL, and its endpoints that change. */
export interface Incoming {
  readonly apiVersionId: string;
  /** As it is stored. */
  readonly packed?: string;
  readonly endpoints: readonly EndpointRecord[];
}

/** What the steps of a composite call: schemas by the name of the API as the steps write it, endpoints by {@link endpointName}. */
export interface StepFacts {
  readonly schemas: readonly (readonly [api: string, packed: string])[];
  readonly endpoints: readonly (readonly [name: string, shape: EndpointShape])[];
}

/** What the steps of each of the composites would call after an import. What is not there is left out. */
export async function stepFacts(
  sql: Sql,
  hostId: string,
  composites: readonly KeptComposite[],
  incoming: Incoming,
): Promise<readonly StepFacts[]> {
  const steps = composites.map(({ alternatives }) => alternatives.flatMap((each) => each.steps));
  const all = steps.flat();
  const called = all.flatMap(({ endpoint }) => (endpoint === undefined ? [] : [endpoint.endpointId]));
  const known = await endpointsById(sql, hostId, [...new Set(called)]);
  const endpoints = new Map(
    [...known, ...incoming.endpoints].map((each) => [each.endpointId, shapeOf(each)]),
  );
  const schemas = new Map<string, string>();
  for (const id of new Set(
    all.flatMap(({ graphql }) => (graphql === undefined ? [] : [graphql.apiVersionId])),
  )) {
    const packed = id === incoming.apiVersionId ? incoming.packed : (await specOf(sql, hostId, id))?.packed;
    if (packed !== undefined) schemas.set(id, packed);
  }
  return steps.map((own) => ({
    schemas: distinct(
      own.map(({ graphql }) => graphql && ([graphql.api, schemas.get(graphql.apiVersionId)] as const)),
    ),
    endpoints: distinct(
      own.map(({ endpoint: call }) => {
        return call && ([endpointName(call.api, call.endpoint), endpoints.get(call.endpointId)] as const);
      }),
    ),
  }));
}

export function shapeOf({ facts }: EndpointRecord): EndpointShape {
  const { inputSchema, outputSchema, safety } = facts;
  return {
    inputSchema: inputSchema as JsonObject,
    ...(outputSchema !== undefined && { outputSchema: outputSchema as JsonObject }),
    readOnly: safety.readOnly,
  };
}

function distinct<T>(found: readonly (readonly [string, T | undefined] | undefined)[]): [string, T][] {
  return [
    ...new Map(found.flatMap((each) => (each?.[1] === undefined ? [] : [[each[0], each[1]] as const]))),
  ];
}
