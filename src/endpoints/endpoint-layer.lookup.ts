import type { Sql } from '../eventsourcing/sql.js';
import type { Conflict } from './endpoint.conflicts.js';
import type { Enrichment, SemanticField } from './endpoint.enrichment.js';
import type { KnownEndpoint } from './endpoint.state.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.columns.js';
import type { Layer } from './endpoint.layers.js';
import type { EndpointFacts } from '../formats/endpoint-facts.js';

/** What is stored of an endpoint, as far as an import of one layer compares with it. */
export interface StoredEndpoint {
  readonly endpointId: string;
  /** The endpoint key. */
  readonly endpoint: string;
  readonly name: string;
  /** Of what the layer says; null where it has never spoken of the endpoint. */
  readonly digest: string | null;
  /** Whether the layer's document had lost it. */
  readonly vanished: boolean;
  /** Whether the endpoint is offered as long as this layer holds it: another layer may say how it is called. */
  readonly decisive: boolean;
  readonly enrichment: Enrichment;
  readonly gaps: readonly SemanticField[];
  readonly conflicts: readonly Conflict[];
}

/** Every endpoint of an API version, in a few bytes each: schemas and texts are not read. */
export async function storedEndpoints(
  sql: Sql,
  hostId: string,
  apiVersionId: string,
  layer: Layer,
): Promise<StoredEndpoint[]> {
  return sql.query<StoredEndpoint>(
    `SELECT endpoint_id AS "endpointId", endpoint, endpoint_name AS name, digests ->> $3 AS digest, $3 = ANY(vanished) AS vanished,
            $3 = 'source' OR $3 = 'gateway' AND digests -> 'source' IS NULL AS decisive, enrichment, gaps, conflicts
     FROM api_endpoint_t WHERE host_id = $1 AND api_version_id = $2`,
    [hostId, apiVersionId, layer],
  );
}

/** The names that a document may know an endpoint by. */
export interface EndpointNames {
  /** The endpoint key. */
  readonly endpoint: string;
  readonly name: string;
  /** Operation id or tool name of the source. */
  readonly sourceName: string | null;
}

export async function endpointNames(
  sql: Sql,
  hostId: string,
  apiVersionId: string,
): Promise<EndpointNames[]> {
  return sql.query<EndpointNames>(
    `SELECT endpoint, endpoint_name AS name, tool_metadata ->> 'sourceName' AS "sourceName"
     FROM api_endpoint_t WHERE host_id = $1 AND api_version_id = $2 ORDER BY endpoint`,
    [hostId, apiVersionId],
  );
}

/**
 * What API-level words say of every endpoint of a version, for endpoints that come later; undefined where there are
 * none, or not every endpoint has them. What they say of single endpoints beyond that is left out: the shortest say
 * least, and a capability is never the whole API's.
 */
export async function inheritedFacts(
  sql: Sql,
  hostId: string,
  apiVersionId: string,
): Promise<EndpointFacts | undefined> {
  const [row] = await sql.query<{ readonly facts: EndpointFacts | null }>(
    `SELECT (layers -> 'lightapi_api') - 'capability' AS facts FROM api_endpoint_t
     WHERE host_id = $1 AND api_version_id = $2
     ORDER BY layers -> 'lightapi_api' IS NULL DESC, length((layers -> 'lightapi_api')::text), endpoint LIMIT 1`,
    [hostId, apiVersionId],
  );
  return row?.facts ?? undefined;
}

/** The endpoints whole, by id. */
export async function knownEndpoints(
  sql: Sql,
  hostId: string,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, KnownEndpoint>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await sql.query<StateColumns & { readonly endpoint_id: string }>(
    `SELECT endpoint_id, ${stateColumns.join(', ')} FROM api_endpoint_t
     WHERE host_id = $1 AND endpoint_id = ANY($2::uuid[])`,
    [hostId, endpointIds],
  );
  return new Map(rows.map((row) => [row.endpoint_id, endpointOf(row)]));
}
