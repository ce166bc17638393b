import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { ScopeFacts } from '../../formats/shared.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { listPage } from '../../platform/database/page.js';
import { pick } from '../../platform/records/fields.js';
import { taxonomyColumns } from '../../taxonomy/public.js';
import { cutReferences } from './endpoint-references.js';
import { referencesSeen } from './endpoint.lookup.js';
import {
  type EndpointAnswer,
  type EndpointListQuery,
  listedEndpoint,
  type ListedEndpoint,
} from './endpoint.schemas.js';
import { endpointOf, type EndpointRow } from './endpoints.row.js';
import { endpointsFor, filteredEndpoints, readEndpoints } from './endpoints.filter.js';

/** Selects what lists show. @param endpoints table or view */
const listedColumns = (endpoints: string): string =>
  `endpoint_id AS "endpointId", api_id AS "apiId", api_version_id AS "apiVersionId", service_id AS "serviceId",
  env_tag AS "envTag", endpoint, http_method AS method, endpoint_path AS path, endpoint_name AS name,
  endpoint_desc AS description, source_protocol AS "sourceProtocol", lifecycle_status AS "lifecycleStatus",
  routing_domain AS domain, semantic_namespace AS "semanticNamespace", sensitivity_tier AS "sensitivityTier",
  semantic_weight AS "semanticWeight", target_personas AS "targetPersonas",
  ${taxonomyColumns('endpoint', endpoints, 'endpoint_id')}, category, document_tags AS "documentTags",
  enrichment, gaps, changed, conflicts <> '[]' AS conflict, active, aggregate_version AS "aggregateVersion", position,
  update_ts AS "updateTs", update_user AS "updateUser"`;

export async function listEndpoints(
  sql: Sql,
  visibility: Visibility,
  { limit, cursor, sort, active, ...facts }: EndpointListQuery,
): Promise<{ items: ListedEndpoint[]; nextCursor?: string }> {
  const { from, where } = filteredEndpoints(visibility, {
    ...facts,
    ...(active !== 'all' && { active: active === 'true' }),
  });
  const select = `${listedColumns(endpointsFor(visibility))}, endpoint_id`;
  const list = ['endpoints', active, Object.entries(facts).sort()];
  const request = { select, from, where, list, text: 'endpoint', id: 'endpoint_id', limit, cursor, sort };
  const { rows, ...next } = await listPage<ListedEndpoint>(sql, request);
  return { items: rows.map(listed), ...next };
}

/** Throws NotFound. */
export async function getEndpoint(
  sql: Sql,
  visibility: Visibility,
  endpointId: string,
): Promise<EndpointAnswer> {
  const narrowed = isNarrowed(visibility);
  const name = endpointsFor(visibility);
  const { from, where } = readEndpoints(visibility);
  where.add('endpoint_id = ?', endpointId);
  const scopes = `(SELECT r.scopes FROM endpoint_read r WHERE r.host_id = ${name}.host_id AND r.endpoint_id = ${name}.endpoint_id) AS scopes`;
  const [row] = await sql.query<EndpointRow & ListedEndpoint & { scopes: ScopeFacts[][] }>(
    `SELECT *, ${narrowed ? '' : `${scopes}, `}${listedColumns(name)} FROM ${from} ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('endpoint', endpointId);
  const { tool_metadata: metadata, api_version_id: apiVersionId } = row;
  const isSeen = await referencesSeen(sql, visibility, apiVersionId, [metadata]);
  return {
    ...listed(row),
    inputSchema: row.tool_schema,
    outputSchema: row.response_schema,
    toolMetadata: narrowed ? cutReferences(metadata, isSeen) : metadata,
    provenance: row.provenance,
    layers: narrowed ? {} : endpointOf(row).layers,
    operatorDescription: narrowed ? null : (row.layers.operator?.operatorDescription ?? null),
    conflicts: narrowed ? [] : [...row.conflicts],
    scopes: row.scopes,
    vanished: [...row.vanished],
    deactivated: row.deactivated,
  };
}

function listed(row: ListedEndpoint): ListedEndpoint {
  return pick(row, listedEndpoint.properties);
}
