import { NotFound, RuleBroken } from '../../eventsourcing/errors.js';
import type { Sql } from '../../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { type Conditions, visibleRows } from '../../platform/database/conditions.js';
import { unpackText } from '../../platform/database/packed-text.js';
import { listPage } from '../../platform/database/page.js';
import { Problem } from '../../platform/http/problem.js';
import { listAnswer } from '../../platform/http/schemas.js';
import { readRoute } from '../../platform/records/routes.js';
import {
  apiId,
  apiVersionAnswer,
  type ApiVersionAnswer,
  apiVersionListQuery,
  type ApiVersionListQuery,
  apiVersionQuery,
  exportQuery,
  listedApiVersion,
  versionsOfApiQuery,
} from './api-version.schemas.js';
import type { ApiVersionRow } from './api-versions.projection.js';
import { apiVersionExample, exportExample } from '../examples.js';
import { apiReads } from '../api/api.record.js';
import { effectiveOf } from '../endpoint/endpoint.effective.js';
import { endpointOf, stateColumns, type StateColumns } from '../endpoint/endpoints.row.js';
import { visibleEndpoints } from '../endpoint/endpoints.filter.js';
import { impactRoute } from '../impact/impact.lookup.js';
import { type ExportedVersion, lightApiOf } from '../lightapi/lightapi-export.js';

/** Reads of API versions. What writes them may bring a document, and stands with the imports. */
export const apiVersionReadRoutes = [
  readRoute<ApiVersionListQuery>(
    'api-versions',
    {
      id: 'listApiVersions',
      summary: 'List API versions',
      scope: 'catalog:read',
      query: apiVersionListQuery,
      answer: listAnswer(listedApiVersion),
      example: { query: { apiType: 'openapi' }, answer: { items: [apiVersionExample] } },
    },
    (sql, { visibility, query }) => listApiVersions(sql, visibility, query),
  ),
  readRoute<ApiVersionListQuery>(
    'apis/:apiId/versions',
    {
      id: 'listVersionsOfApi',
      summary: 'List the versions of an API',
      description: 'An API that is not there is 404, not an empty list.',
      scope: 'catalog:read',
      params: { apiId },
      query: versionsOfApiQuery,
      answer: listAnswer(listedApiVersion),
      example: { answer: { items: [apiVersionExample] } },
    },
    async (sql, { visibility, params: { apiId: id = '' }, query }) => {
      await apiReads.get(sql, visibility, id);
      return listApiVersions(sql, visibility, { ...query, apiId: id });
    },
  ),
  readRoute<{ readonly spec: boolean }>(
    'api-versions/:apiVersionId',
    {
      id: 'getApiVersion',
      summary: 'Get an API version',
      scope: 'catalog:read',
      query: apiVersionQuery,
      answer: apiVersionAnswer,
      example: { answer: apiVersionExample },
    },
    (sql, { visibility, params: { apiVersionId = '' }, query }) =>
      getApiVersion(sql, visibility, apiVersionId, query),
  ),
  impactRoute(
    'api-versions/:apiVersionId',
    { kind: 'api_version', requireSeen: getApiVersion },
    { id: 'getApiVersionImpact', noun: 'an API version' },
  ),
  readRoute(
    'api-versions/:apiVersionId/export',
    {
      id: 'exportApiVersion',
      summary: 'Export the endpoints of an API version',
      description:
        'Its active endpoints with their effective words, as a LightAPI 0.1.0 document. What comes back into the same ' +
        'version unaltered changes nothing: only operations that somebody has changed speak. Refused with ' +
        '`nothing_to_export` where there is no active endpoint, or where the version or its API is inactive.',
      scope: 'catalog:read',
      confined: 'refused',
      query: exportQuery,
      answer: { type: 'object', description: 'LightAPI Description 0.1.0.' },
      example: { query: { format: 'lightapi' }, answer: exportExample },
    },
    (sql, { visibility, params: { apiVersionId = '' } }) => exportApiVersion(sql, visibility, apiVersionId),
  ),
];

/** All columns but the document, which may be megabytes. */
const columns = `host_id, api_version_id, api_id, api_version, api_type, service_id, env_tag, api_version_desc,
  quarantine, spec_digest, spec_format, spec_format_version, active, position, aggregate_version, update_ts,
  update_user`;
type Row = Omit<ApiVersionRow, 'spec'> & { readonly spec?: string | null };

const filtered = {
  apiId: 'api_id',
  apiType: 'api_type',
  serviceId: 'service_id',
  envTag: 'env_tag',
} as const satisfies { readonly [Name in keyof ApiVersionListQuery]?: string };

async function listApiVersions(
  sql: Sql,
  visibility: Visibility,
  filter: ApiVersionListQuery,
): Promise<{ items: ApiVersionAnswer[]; nextCursor?: string }> {
  const { active, limit, cursor } = filter;
  const where = visibleVersions(visibility);
  if (active !== 'all') where.add('active = ?', active === 'true');
  for (const [name, column] of Object.entries(filtered)) {
    const value = filter[name as keyof typeof filtered];
    if (value !== undefined) where.add(`${column} = ?`, value);
  }
  const { rows, ...next } = await listPage<Row>(sql, {
    ...{ select: columns, from: 'api_version_t', where, text: 'api_version', id: 'api_version_id' },
    ...{ limit, cursor },
  });
  return { items: rows.map(versionOf), ...next };
}

/** With `spec` also the document itself. Throws NotFound. */
async function getApiVersion(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
  { spec = false }: { readonly spec?: boolean } = {},
): Promise<ApiVersionAnswer> {
  const where = visibleVersions(visibility).add('api_version_id = ?', apiVersionId);
  const [row] = await sql.query<Row>(
    `SELECT ${columns}${spec ? ', spec' : ''} FROM api_version_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound('API version', apiVersionId);
  if (typeof row.spec !== 'string') return versionOf(row);
  if (isNarrowed(visibility)) {
    const detail =
      'A token with agent_def_id or maxSensitivityTier does not read documents: they hold every endpoint.';
    throw new Problem(403, 'confined_token', detail);
  }
  return { ...versionOf(row), spec: await unpackText(row.spec) };
}

/** Limits `api_version_t` to what a reader may see (docs/contract.md, section 2). */
function visibleVersions(visibility: Visibility): Conditions {
  return visibleRows(visibility, { confined: ['api_version_id', ({ apiVersionIds }) => apiVersionIds] });
}

function versionOf(row: Row): ApiVersionAnswer {
  return {
    apiVersionId: row.api_version_id,
    apiId: row.api_id,
    apiVersion: row.api_version,
    apiType: row.api_type,
    serviceId: row.service_id,
    envTag: row.env_tag,
    apiVersionDesc: row.api_version_desc,
    quarantine: row.quarantine,
    specFormat: row.spec_format,
    specFormatVersion: row.spec_format_version,
    specDigest: row.spec_digest,
    ...(row.spec !== undefined && { spec: row.spec }),
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}

/** A LightAPI document. Throws NotFound, RuleBroken `nothing_to_export`. */
async function exportApiVersion(sql: Sql, visibility: Visibility, apiVersionId: string): Promise<object> {
  const version = await exportedVersion(sql, visibility, apiVersionId);
  if (!version.active) {
    const detail = 'The version or its API is inactive: nothing of it is offered. Activate it first.';
    throw new RuleBroken('nothing_to_export', detail);
  }
  const where = visibleEndpoints(visibility).add('api_version_id = ?', apiVersionId).add('active');
  const rows = await sql.query<StateColumns>(
    `SELECT ${stateColumns.join(', ')} FROM api_endpoint_t ${where.sql()} ORDER BY endpoint, endpoint_id`,
    where.values,
  );
  if (rows.length === 0) {
    const detail = 'The version has no active endpoint. Import its document first.';
    throw new RuleBroken('nothing_to_export', detail);
  }
  const endpoints = rows.map((row) => ({
    endpoint: row.endpoint,
    facts: effectiveOf(endpointOf(row).layers).facts,
  }));
  return lightApiOf(version, endpoints);
}

async function exportedVersion(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
): Promise<ExportedVersion & { readonly active: boolean }> {
  const where = visibleVersions(visibility).add('api_version_id = ?', apiVersionId);
  const [row] = await sql.query<ExportedVersion & { readonly active: boolean }>(
    `SELECT v.api_version_id AS "apiVersionId", v.api_id AS "apiId", v.api_version AS "apiVersion",
            v.api_type AS "apiType", v.spec_format_version AS "formatVersion", a.api_name AS "apiName",
            a.api_desc AS "apiDesc", v.active AND a.active AS active
     FROM (SELECT * FROM api_version_t ${where.sql()}) v
     JOIN api_t a ON a.host_id = v.host_id AND a.api_id = v.api_id`,
    where.values,
  );
  if (row === undefined) throw new NotFound('API version', apiVersionId);
  return row;
}
