import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { visibleVersions } from './api-versions.queries.js';
import { effectiveOf } from './endpoint.effective.js';
import { endpointOf, stateColumns, type StateColumns } from './endpoints.columns.js';
import { visibleEndpoints } from './endpoints.filter.js';
import { lightApiOf, type ExportedVersion } from './lightapi-export.js';

/** A LightAPI document. Throws NotFound, RuleBroken `nothing_to_export`. */
export async function exportApiVersion(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
): Promise<object> {
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
