import { NotFound } from '../../eventsourcing/errors.js';
import type { Sql } from '../../eventsourcing/sql.js';
import type { ScopeFacts } from '../../formats/shared.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { listPage } from '../../platform/database/page.js';
import { taxonomyColumns, type TaxonomyNames } from '../../taxonomy/public.js';
import { cutReferences } from './endpoint-references.js';
import { referencesSeen } from './endpoint.lookup.js';
import type { EndpointAnswer, EndpointListQuery, ListedEndpoint } from './endpoint.schemas.js';
import { endpointOf, type EndpointRow } from './endpoints.row.js';
import { endpointConditions, visibleEndpoints } from './endpoints.filter.js';

const listedColumns = [
  ...([
    'endpoint_id',
    'api_id',
    'api_version_id',
    'service_id',
    'env_tag',
    'endpoint',
    'http_method',
  ] as const),
  ...(['endpoint_path', 'endpoint_name', 'endpoint_desc', 'source_protocol', 'lifecycle_status'] as const),
  ...([
    'routing_domain',
    'semantic_namespace',
    'sensitivity_tier',
    'semantic_weight',
    'target_personas',
    'category',
    'document_tags',
  ] as const),
  ...(['enrichment', 'gaps', 'changed'] as const),
  ...(['active', 'aggregate_version', 'position', 'update_ts', 'update_user'] as const),
] as const satisfies readonly (keyof EndpointRow)[];
type ListedRow = Pick<EndpointRow, (typeof listedColumns)[number]> &
  TaxonomyNames & { readonly conflict: boolean; readonly shown_desc: string };
const derivedColumns = `conflicts <> '[]' AS conflict,
  (SELECT r.description FROM endpoint_told r
    WHERE r.host_id = api_endpoint_t.host_id AND r.endpoint_id = api_endpoint_t.endpoint_id) AS shown_desc, ${taxonomyColumns('endpoint', 'api_endpoint_t', 'endpoint_id')}`;

export async function listEndpoints(
  sql: Sql,
  visibility: Visibility,
  { limit, cursor, active, ...facts }: EndpointListQuery,
): Promise<{ items: ListedEndpoint[]; nextCursor?: string }> {
  const where = endpointConditions(visibility, {
    ...facts,
    ...(active !== 'all' && { active: active === 'true' }),
  });
  const select = `${listedColumns.join(', ')}, ${derivedColumns}`;
  const { rows, ...next } = await listPage<ListedRow>(sql, {
    ...{ select, from: 'api_endpoint_t', where, text: 'endpoint', id: 'endpoint_id' },
    ...{ limit, cursor },
  });
  const narrowed = isNarrowed(visibility);
  return { items: rows.map((row) => listed(row, narrowed)), ...next };
}

/** Throws NotFound. */
export async function getEndpoint(
  sql: Sql,
  visibility: Visibility,
  endpointId: string,
): Promise<EndpointAnswer> {
  const where = visibleEndpoints(visibility).add('endpoint_id = ?', endpointId);
  const [row] = await sql.query<EndpointRow & ListedRow & { scopes: ScopeFacts[][] }>(
    `SELECT *, ${derivedColumns},
            (SELECT r.scopes FROM endpoint_read r
              WHERE r.host_id = api_endpoint_t.host_id AND r.endpoint_id = api_endpoint_t.endpoint_id) AS scopes
     FROM api_endpoint_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('endpoint', endpointId);
  const { tool_metadata: metadata, api_version_id: apiVersionId } = row;
  const isSeen = await referencesSeen(sql, visibility, apiVersionId, [metadata]);
  const narrowed = isNarrowed(visibility);
  return {
    ...listed(row, narrowed),
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

/** @param narrowed whether the reader gets what agents get */
function listed(row: ListedRow, narrowed: boolean): ListedEndpoint {
  return {
    endpointId: row.endpoint_id,
    apiId: row.api_id,
    apiVersionId: row.api_version_id,
    serviceId: row.service_id,
    envTag: row.env_tag,
    endpoint: row.endpoint,
    method: row.http_method,
    path: row.endpoint_path,
    name: row.endpoint_name,
    description: narrowed ? row.shown_desc : row.endpoint_desc,
    sourceProtocol: row.source_protocol,
    lifecycleStatus: row.lifecycle_status,
    domain: row.routing_domain,
    semanticNamespace: row.semantic_namespace,
    sensitivityTier: row.sensitivity_tier,
    semanticWeight: row.semantic_weight,
    targetPersonas: [...row.target_personas],
    categories: row.categories,
    tags: row.tags,
    category: row.category,
    documentTags: [...row.document_tags],
    enrichment: row.enrichment,
    gaps: [...row.gaps],
    changed: row.changed,
    conflict: row.conflict,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
