import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import { Problem } from '../platform/http/problem.js';
import { type Conditions, visibleRows } from '../platform/database/conditions.js';
import { unpackText } from '../platform/database/packed-text.js';
import { listPage } from '../platform/database/page.js';
import type { ApiVersionAnswer, ApiVersionListQuery } from './api-version.schemas.js';
import type { ApiVersionRow } from './api-versions.row.js';

/** All but the document, which may be megabytes. */
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

export async function listApiVersions(
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
  return { items: rows.map(answerOf), ...next };
}

/** With `spec` also the document itself. Throws NotFound. */
export async function getApiVersion(
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
  if (typeof row.spec !== 'string') return answerOf(row);
  if (isNarrowed(visibility)) {
    const detail =
      'A token with agent_def_id or maxSensitivityTier does not read documents: they hold every endpoint.';
    throw new Problem(403, 'confined_token', detail);
  }
  return { ...answerOf(row), spec: await unpackText(row.spec) };
}

/** What of `api_version_t` a reader may see (docs/contract.md, section 2). */
export function visibleVersions(visibility: Visibility): Conditions {
  return visibleRows(visibility, { confined: ['api_version_id', ({ apiVersionIds }) => apiVersionIds] });
}

function answerOf(row: Row): ApiVersionAnswer {
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
