import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { sees, type Visibility } from '../../platform/auth/visibility.js';
import type { ApiType } from '../../formats/shared.js';

/** An API version as upper slices read it. Only `quarantine` and the active flags ever change. */
export interface ApiVersionFacts {
  readonly apiVersionId: string;
  readonly apiId: string;
  readonly apiVersion: string;
  readonly apiType: ApiType;
  readonly serviceId: string;
  /** Null: it serves every environment. */
  readonly envTag: string | null;
  /** Whether changes of its tools wait until somebody accepts them. */
  readonly quarantine: boolean;
  /** Its own flag; it is offered where its API is active, too. */
  readonly active: boolean;
  readonly apiActive: boolean;
}

const facts = `api_version_id AS "apiVersionId", api_id AS "apiId", api_version AS "apiVersion", api_type AS "apiType",
  service_id AS "serviceId", env_tag AS "envTag", quarantine, active, (
    SELECT a.active FROM api_t a WHERE a.host_id = v.host_id AND a.api_id = v.api_id) AS "apiActive"`;

/** Finds a version by its id. An agent is a version of type `agent`. */
export async function findApiVersion(
  sql: Sql,
  hostId: string,
  apiVersionId: string,
): Promise<ApiVersionFacts | undefined> {
  const [row] = await sql.query<ApiVersionFacts>(
    `SELECT ${facts} FROM api_version_t v WHERE host_id = $1 AND api_version_id = $2`,
    [hostId, apiVersionId],
  );
  return row;
}

/** Throws NotFound: what the token does not cover is like what does not exist. */
export async function requireApiVersion(
  sql: Sql,
  visibility: Visibility,
  apiVersionId: string,
): Promise<ApiVersionFacts> {
  const version = await findApiVersion(sql, visibility.hostId, apiVersionId);
  const isSeen =
    version && sees(visibility, version, (within) => within.apiVersionIds.includes(apiVersionId));
  if (!isSeen) throw new NotFound('API version', apiVersionId);
  return version;
}

/** All versions of an API, whoever may see them. */
export async function versionsOfApi(
  sql: Sql,
  hostId: string,
  apiId: string,
): Promise<readonly ApiVersionFacts[]> {
  return sql.query<ApiVersionFacts>(
    `SELECT ${facts} FROM api_version_t v WHERE host_id = $1 AND api_id = $2 ORDER BY api_version_id`,
    [hostId, apiId],
  );
}

/** Returns a test for versions that are inactive, or whose API is; versions may be new in this write. */
export async function inactiveAmong(
  sql: Sql,
  hostId: string,
  versions: readonly Pick<ApiVersionFacts, 'apiId' | 'apiVersionId'>[],
): Promise<(version: Pick<ApiVersionFacts, 'apiId' | 'apiVersionId'>) => boolean> {
  const rows = await sql.query<{ readonly id: string }>(
    `SELECT api_id AS id FROM api_t WHERE host_id = $1 AND api_id = ANY($2::text[]) AND NOT active
     UNION ALL
     SELECT api_version_id::text FROM api_version_t
     WHERE host_id = $1 AND api_version_id = ANY($3::uuid[]) AND NOT active`,
    [
      hostId,
      [...new Set(versions.map(({ apiId }) => apiId))],
      [...new Set(versions.map(({ apiVersionId }) => apiVersionId))],
    ],
  );
  const inactive = new Set(rows.map(({ id }) => id));
  return ({ apiId, apiVersionId }) => inactive.has(apiId) || inactive.has(apiVersionId);
}

/** Finds a version by its API and version text. */
export async function findApiVersionOf(
  sql: Sql,
  hostId: string,
  apiId: string,
  apiVersion: string,
): Promise<ApiVersionFacts | undefined> {
  const [row] = await sql.query<ApiVersionFacts>(
    `SELECT ${facts} FROM api_version_t v WHERE host_id = $1 AND api_id = $2 AND api_version = $3`,
    [hostId, apiId, apiVersion],
  );
  return row;
}

/** Lists the versions of an API for a service and environment, newest first. */
export async function versionsBeside(
  sql: Sql,
  hostId: string,
  { apiId, serviceId, envTag }: Pick<ApiVersionFacts, 'apiId' | 'serviceId' | 'envTag'>,
): Promise<readonly string[]> {
  const rows = await sql.query<{ apiVersion: string }>(
    `SELECT api_version AS "apiVersion" FROM api_version_t
     WHERE host_id = $1 AND api_id = $2 AND service_id = $3 AND env_tag IS NOT DISTINCT FROM $4::text
     ORDER BY api_version_id DESC`,
    [hostId, apiId, serviceId, envTag],
  );
  return rows.map(({ apiVersion }) => apiVersion);
}

/** The state of an API version and its endpoints, in few values: equal where nothing has changed. */
export interface VersionSnapshot {
  readonly apiVersionId: string;
  /** Digest of the document in force. */
  readonly specDigest: string | null;
  /** Position of the last event that changed the version or one of its endpoints. */
  readonly position: number;
  readonly endpoints: number;
}

export async function versionSnapshot(
  sql: Sql,
  hostId: string,
  { apiId, apiVersion }: Pick<ApiVersionFacts, 'apiId' | 'apiVersion'>,
): Promise<VersionSnapshot | undefined> {
  const [row] = await sql.query<VersionSnapshot>(
    `SELECT v.api_version_id AS "apiVersionId", v.spec_digest AS "specDigest",
            greatest(v.position, max(e.position)) AS position, count(e.endpoint_id)::int AS endpoints
     FROM api_version_t v
     LEFT JOIN api_endpoint_t e ON e.host_id = v.host_id AND e.api_version_id = v.api_version_id
     WHERE v.host_id = $1 AND v.api_id = $2 AND v.api_version = $3
     GROUP BY v.host_id, v.api_version_id`,
    [hostId, apiId, apiVersion],
  );
  return row;
}

/** The document in force, packed, with the digest of its text; null where there is none. */
export async function specOf(
  sql: Sql,
  hostId: string,
  apiVersionId: string,
): Promise<{ readonly packed: string; readonly digest: string } | null> {
  const [row] = await sql.query<{ packed: string; digest: string }>(
    `SELECT spec AS packed, spec_digest AS digest FROM api_version_t
     WHERE host_id = $1 AND api_version_id = $2 AND spec IS NOT NULL`,
    [hostId, apiVersionId],
  );
  return row ?? null;
}

export async function apiExists(sql: Sql, hostId: string, apiId: string): Promise<boolean> {
  const rows = await sql.query('SELECT FROM api_t WHERE host_id = $1 AND api_id = $2', [hostId, apiId]);
  return rows.length > 0;
}
