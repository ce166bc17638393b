import type { Change } from '../../kernel/slice.js';
import type { Sql } from '../../kernel/sql.js';
import type { EndpointFacts } from '../../formats/shared.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { Problem } from '../../platform/http/problem.js';
import { inactiveAmong } from '../api-version/api-version.lookup.js';
import { cutReferences, type IsSeen, type Referring } from './endpoint-references.js';
import type { Conflict } from './endpoint.overrides.js';
import {
  type EffectiveFacts,
  effectiveOf,
  type Enrichment,
  type SemanticField,
} from './endpoint.effective.js';
import { withoutHeld } from './endpoint.guards.js';
import type { Layer, Provenance } from './endpoint.layers.js';
import { type EndpointState, isActive, type KnownEndpoint } from './endpoint.state.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.row.js';
import { filteredEndpoints, type EndpointFilter, visibleEndpoints } from './endpoints.filter.js';

/** An endpoint as upper slices read it: who may see it, whether it is active, and its effective facts. */
export interface EndpointRecord {
  readonly endpointId: string;
  readonly apiId: string;
  readonly apiVersionId: string;
  readonly serviceId: string;
  readonly envTag: string | null;
  /** The endpoint key. */
  readonly endpoint: string;
  readonly active: boolean;
  readonly facts: EffectiveFacts;
  readonly provenance: Provenance;
  /** The effective facts without held guards, where some are held. */
  readonly offered?: EffectiveFacts;
}

/** Marks endpoints inactive whose API version or API is inactive. */
export async function asOffered(
  sql: Sql,
  hostId: string,
  endpoints: readonly EndpointRecord[],
): Promise<EndpointRecord[]> {
  const isInactive = await inactiveAmong(sql, hostId, endpoints);
  return endpoints.map((each) => (isInactive(each) ? { ...each, active: false } : each));
}

export function endpointRecord(endpointId: string, known: KnownEndpoint): EndpointRecord {
  const { apiId, apiVersionId, serviceId, envTag, endpoint } = known;
  const { facts, provenance } = effectiveOf(known.layers);
  const identity = { endpointId, apiId, apiVersionId, serviceId, envTag, endpoint };
  return {
    ...{ ...identity, active: isActive(known), facts, provenance },
    ...(known.layers.held !== undefined && { offered: effectiveOf(withoutHeld(known.layers)).facts }),
  };
}

/** Whether calls or answers come as a stream (gRPC). */
export function isStream({ facts }: EndpointRecord): boolean {
  return facts.extras['streaming'] !== undefined;
}

/** Gives reactions the endpoint before and after a change; before is undefined where it is new. */
export function endpointChange({ id, before, after }: Change): {
  readonly before: EndpointRecord | undefined;
  readonly after: EndpointRecord;
} {
  const [was, is] = [before as EndpointState, after as EndpointState];
  if (is.status !== 'known') throw new Error(`No change of the endpoint ${id}.`);
  return {
    before: was.status === 'known' ? endpointRecord(id, was) : undefined,
    after: endpointRecord(id, is),
  };
}

/** Those of the endpoints that exist, active or not, ordered by key. */
export async function endpointsById(
  sql: Sql,
  hostId: string,
  endpointIds: readonly string[],
): Promise<EndpointRecord[]> {
  if (endpointIds.length === 0) return [];
  const text = `${select} WHERE host_id = $1 AND endpoint_id = ANY($2::uuid[]) ${order}`;
  return records(await sql.query<Stored>(text, [hostId, endpointIds]));
}

/** Those of an API version with these keys that the reader may see, active or not, ordered by key. */
export async function endpointsByKey(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
  keys: readonly string[],
): Promise<EndpointRecord[]> {
  if (keys.length === 0) return [];
  const where = visibleEndpoints(visibility)
    .add('api_version_id = ?', apiVersionId)
    .add('endpoint = ANY(?::text[])', [...keys]);
  return records(await sql.query<Stored>(`${select} ${where.sql()} ${order}`, where.values));
}

/** The endpoints that the filter admits and the reader may see, ordered by key. */
export async function endpointsWhere(
  sql: Sql,
  visibility: Visibility,
  filter: EndpointFilter,
): Promise<EndpointRecord[]> {
  const { from, where } = filteredEndpoints(visibility, filter);
  const found = `SELECT endpoint_id FROM ${from} ${where.sql()}`;
  const text = `${select} WHERE host_id = $1 AND endpoint_id IN (${found}) ${order}`;
  return records(await sql.query<Stored>(text, where.values));
}

/**
 * Refuses a token that does not read every endpoint of an API version, for requests that show or change all of them.
 *
 * @throws Problem 403 `confined_token`
 */
export async function requireWholeVersion(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
): Promise<void> {
  if (!isNarrowed(visibility)) return;
  const where = visibleEndpoints(visibility).add('api_version_id = ?', apiVersionId);
  const hidden = await sql.query(
    `SELECT FROM api_endpoint_t WHERE host_id = $1 AND api_version_id = $${String(where.values.length)}
       AND endpoint_id NOT IN (SELECT endpoint_id FROM api_endpoint_t ${where.sql()}) LIMIT 1`,
    where.values,
  );
  if (hidden.length === 0) return;
  const detail = `The API version ${apiVersionId} has endpoints that the token does not read. Import with a token without agent_def_id and maxSensitivityTier.`;
  throw new Problem(403, 'confined_token', detail);
}

type Stored = StateColumns & { readonly endpoint_id: string };

const select = `SELECT endpoint_id, ${stateColumns.join(', ')} FROM api_endpoint_t`;
const order = 'ORDER BY endpoint, endpoint_id';

const records = (rows: readonly Stored[]): EndpointRecord[] =>
  rows.map((row) => endpointRecord(row.endpoint_id, endpointOf(row)));

/** The stored part of an endpoint that an import of one layer is compared with. */
export interface StoredEndpoint {
  readonly endpointId: string;
  /** The endpoint key. */
  readonly endpoint: string;
  readonly name: string;
  /** Digest of the layer's facts; null where the layer never had the endpoint. */
  readonly digest: string | null;
  /** Whether the endpoint was missing from the layer's last document. */
  readonly missing: boolean;
  /** Whether the endpoint is active as long as this layer holds it; otherwise another layer decides. */
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
    `SELECT endpoint_id AS "endpointId", endpoint, endpoint_name AS name, digests ->> $3 AS digest, $3 = ANY(vanished) AS missing,
            $3 = 'source' OR $3 = 'gateway' AND digests -> 'source' IS NULL AS decisive, enrichment, gaps, conflicts
     FROM api_endpoint_t WHERE host_id = $1 AND api_version_id = $2`,
    [hostId, apiVersionId, layer],
  );
}

/** The names by which a document may refer to an endpoint. */
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
 * The facts of the API's own layer that all endpoints of a version share, for endpoints that come later; undefined where there
 * are none, or not every endpoint has them. The layer of a single endpoint may hold more: the shortest one holds least, and a
 * capability is never that of the whole API.
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

/** Reads endpoints with all their layers, by id. */
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

/**
 * Finds which references of a tool or endpoint of this API version a reader may see. A key means the endpoint of the same
 * version; where that has none, any endpoint with the key. A reader confined to an agent's catalog sees the references to what
 * the catalog holds.
 */
export async function referencesSeen(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string | null,
  metadata: readonly Referring[],
): Promise<IsSeen> {
  const { within: agentScope } = visibility;
  if (agentScope !== undefined) return (key) => agentScope.references(key, apiVersionId ?? undefined);
  if (!isNarrowed(visibility)) return () => true;
  const keys = new Set<string>();
  for (const each of metadata) cutReferences(each, (key) => keys.add(key).has(key));
  if (keys.size === 0) return () => false;
  const where = visibleEndpoints(visibility)
    .add('endpoint = ANY(?::text[])', [...keys])
    .add(
      `api_version_id = ?::uuid OR NOT EXISTS (
         SELECT FROM api_endpoint_t own
         WHERE own.host_id = e.host_id AND own.api_version_id = ?::uuid AND own.endpoint = e.endpoint)`,
      apiVersionId,
      apiVersionId,
    );
  const rows = await sql.query<{ readonly key: string }>(
    `SELECT DISTINCT endpoint AS key FROM api_endpoint_t e ${where.sql()}`,
    where.values,
  );
  const seen = new Set(rows.map(({ key }) => key));
  return (key) => seen.has(key);
}
