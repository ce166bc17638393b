import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { taxonomyShown } from '../../taxonomy/public.js';
import {
  type EndpointFacet,
  type EndpointFacets,
  type EndpointFacetsQuery,
  MAX_FACET_VALUES,
} from './endpoint-facets.schemas.js';
import { endpointsFor, filteredEndpoints, type EndpointFilter } from './endpoints.filter.js';

/** How the values of a facet are read, and by which filter one of them is chosen. */
interface Facet {
  readonly filter: keyof EndpointFilter;
  /** A text, or null where the endpoint has none. */
  readonly value: string;
  /** A set-returning value in place of the column's own. */
  readonly from?: string;
}

const tagsIn = (endpoints: string): string =>
  `LATERAL (SELECT DISTINCT unnest(document_tags || ${taxonomyShown('endpoint', endpoints, 'endpoint_id').tags.sql})) AS tagged (tag)`;

function facetsIn(endpoints: string): Readonly<Record<EndpointFacet, Facet>> {
  return {
    apiId: { filter: 'apiId', value: 'api_id' },
    apiVersionId: { filter: 'apiVersionId', value: 'api_version_id::text' },
    method: { filter: 'method', value: 'http_method' },
    sourceProtocol: { filter: 'sourceProtocol', value: 'source_protocol' },
    lifecycleStatus: { filter: 'lifecycleStatus', value: 'lifecycle_status' },
    sensitivityTier: { filter: 'sensitivityTier', value: 'sensitivity_tier' },
    domain: { filter: 'domain', value: 'routing_domain' },
    active: { filter: 'active', value: 'active::text' },
    tag: { filter: 'tag', value: 'tagged.tag', from: tagsIn(endpoints) },
  };
}

/**
 * How many endpoints have each value, among those that all other filters leave: what choosing the value would show. A facet's own
 * filter is left out of its count, so that another value can be chosen.
 */
export async function endpointFacets(
  sql: Sql,
  visibility: Visibility,
  { active, ...filter }: EndpointFacetsQuery,
): Promise<EndpointFacets> {
  const asked: EndpointFilter = { ...filter, ...(active !== 'all' && { active: active === 'true' }) };
  // One after the other: one request takes one connection.
  const facets: Partial<Record<EndpointFacet, Awaited<ReturnType<typeof valuesOf>>>> = {};
  for (const [name, facet] of Object.entries(facetsIn(endpointsFor(visibility))))
    facets[name as EndpointFacet] = await valuesOf(sql, visibility, facet, asked);
  const { from, where } = filteredEndpoints(visibility, asked);
  const [row] = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM ${from} ${where.sql()}`,
    where.values,
  );
  return { total: row?.total ?? 0, facets: facets as EndpointFacets['facets'] };
}

async function valuesOf(
  sql: Sql,
  visibility: Visibility,
  { filter, value, from: tagged }: Facet,
  asked: EndpointFilter,
): Promise<{ values: { value: string; count: number }[]; more: boolean }> {
  const { [filter]: _own, ...others } = asked;
  const { from, where } = filteredEndpoints(visibility, others);
  const found = await sql.query<{ value: string; count: number }>(
    `SELECT f.value, count(*)::int AS count
     FROM (SELECT ${value} AS value FROM ${from}${tagged === undefined ? '' : `, ${tagged}`} ${where.sql()}) f
     WHERE f.value IS NOT NULL GROUP BY f.value
     ORDER BY count(*) DESC, f.value COLLATE "C" LIMIT ${String(MAX_FACET_VALUES + 1)}`,
    where.values,
  );
  return { values: found.slice(0, MAX_FACET_VALUES), more: found.length > MAX_FACET_VALUES };
}
