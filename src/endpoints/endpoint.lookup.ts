import type { Change } from '../eventsourcing/reaction.js';
import type { Sql } from '../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import { Problem } from '../platform/http/problem.js';
import { inactiveAmong } from './api-version.lookup.js';
import { effectiveOf, type EffectiveFacts } from './endpoint.effective.js';
import { withoutHeld } from './endpoint.guards.js';
import type { Provenance } from './endpoint.layers.js';
import { isActive, type EndpointState, type KnownEndpoint } from './endpoint.state.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.columns.js';
import { endpointConditions, visibleEndpoints, type EndpointFilter } from './endpoints.filter.js';

/** What the floors above need of an endpoint: who may see it, whether it is offered, and its effective facts. */
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
  /** What the documents come to where a guard is held that they loosen. */
  readonly offered?: EffectiveFacts;
}

/** The same as they are offered: none is of an API version that is inactive, or whose API is. */
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

/** For reactions: the endpoint before and after a change of this write; before is undefined where it is new. */
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

/** The endpoints that the filter admits and the reader may see, ordered by key. */
export async function endpointsWhere(
  sql: Sql,
  visibility: Visibility,
  filter: EndpointFilter,
): Promise<EndpointRecord[]> {
  const where = endpointConditions(visibility, filter);
  return records(await sql.query<Stored>(`${select} ${where.sql()} ${order}`, where.values));
}

/**
 * Refuses a token that does not read every endpoint of an API version, for what tells of all of them or changes them.
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
