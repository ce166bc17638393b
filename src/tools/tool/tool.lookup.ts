import { quarantinedGrades } from '../../endpoints/shared.js';
import type { Sql } from '../../kernel/sql.js';
import type { Tier } from '../../platform/auth/sensitivity-tier.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import type { NameClaim } from '../model/tool-name.js';
import type { ToolFields } from '../model/tool-facts.js';
import { isMeant, visibleTools } from './tools.filter.js';

/** A tool as upper slices read it: who may see it, whether it is active, and its safety. */
export interface ToolFacts {
  readonly toolId: string;
  readonly name: string;
  readonly version: string;
  /** The tool's own flag; its endpoint may be inactive. */
  readonly active: boolean;
  /** Null for a tool without an endpoint: it is host-wide. */
  readonly serviceId: string | null;
  /** Null: every environment. */
  readonly envTag: string | null;
  readonly tier: Tier;
  readonly safety: ToolFields['safety'];
}

/** The facts of those tools that exist, in one query. */
export async function toolFactsOf(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
): Promise<ReadonlyMap<string, ToolFacts>> {
  const rows = await sql.query<ToolFacts>(
    `SELECT tool_id AS "toolId", name, version, active, service_id AS "serviceId", env_tag AS "envTag",
            sensitivity_tier AS tier, tool_metadata -> 'safety' AS safety
     FROM tool_t WHERE host_id = $1 AND tool_id = ANY($2::uuid[])`,
    [hostId, toolIds],
  );
  return new Map(rows.map((row) => [row.toolId, row]));
}

/** A tool with what names it outside this catalog: its endpoint and that one's API, where it has one. */
export interface NamedTool {
  readonly toolId: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly active: boolean;
  readonly safety: ToolFields['safety'];
  readonly apiId: string | null;
  readonly apiName: string | null;
  readonly apiVersion: string | null;
  /** Endpoint key. */
  readonly endpoint: string | null;
}

/** A named tool with where it is offered, and whether it is. */
export interface SeenTool extends NamedTool {
  /** True of a tool without an endpoint. */
  readonly endpointActive: boolean;
  /** Null: every environment. */
  readonly envTag: string | null;
}

/** Conditions of a lookup of tools. */
export interface ToolNaming {
  readonly toolIds?: readonly string[];
  readonly apiVersionId?: string;
  /** Of one of these names, or behind one of these endpoint keys. */
  readonly known?: { readonly names: readonly string[]; readonly endpoints: readonly string[] };
}

/** Lists the tools that the reader may see, by name, then id; all filters must hold. */
export async function toolsSeen(sql: Sql, visibility: Visibility, by: ToolNaming): Promise<SeenTool[]> {
  const where = visibleTools(visibility);
  if (by.toolIds !== undefined) where.add('tool_id = ANY(?::uuid[])', by.toolIds);
  if (by.apiVersionId !== undefined) where.add('api_version_id = ?', by.apiVersionId);
  if (by.known !== undefined) {
    const { names, endpoints } = by.known;
    where.add(`name = ANY(?::text[]) AND ${isMeant('tool')} OR endpoint = ANY(?::text[])`, names, endpoints);
  }
  return sql.query<SeenTool>(
    `SELECT tool_id AS "toolId", name, version, description, active, endpoint_active AS "endpointActive",
            env_tag AS "envTag", safety, api_id AS "apiId", api_name AS "apiName", api_version AS "apiVersion", endpoint
     FROM (
       SELECT t.*, t.tool_metadata -> 'safety' AS safety, e.api_name, e.api_version, e.endpoint
       FROM tool_t t
       LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id) AS tool
     ${where.sql()} ORDER BY name COLLATE "C", tool_id`,
    where.values,
  );
}

/** A version of a tool with what those who implement it need. */
export interface PublishedTool {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly serviceId: string | null;
  readonly safety: Partial<ToolFields['safety']> | null;
  readonly inputSchema: object;
  /** Null where the result may be anything. */
  readonly outputSchema: object | null;
  /** Its spec, where it was pushed. */
  readonly specText: string | null;
  readonly position: number;
}

/** Filters of the tools that are offered. */
export interface PublishedBy {
  readonly apiVersionId?: string;
  readonly names?: readonly string[];
  /** Also those that serve every environment. */
  readonly envTag?: string;
  readonly limit: number;
}

/**
 * Lists the tools that the reader may see and that are offered (active, not retired, no change in quarantine), each with the
 * version that agents are given, and with all others that they may be given and that have a spec.
 */
export async function publishedTools(
  sql: Sql,
  visibility: Visibility,
  { apiVersionId, names, envTag, limit }: PublishedBy,
): Promise<PublishedTool[]> {
  const where = visibleTools(visibility).add('offered');
  if (apiVersionId !== undefined) where.add('api_version_id = ?', apiVersionId);
  if (names !== undefined) where.add('name = ANY(?::text[])', names);
  if (envTag !== undefined) where.add('env_tag IS NULL OR env_tag = ?', envTag);
  return sql.query<PublishedTool>(
    `SELECT name, v_version AS version, content ->> 'description' AS description, service_id AS "serviceId",
            content -> 'safety' AS safety, content -> 'inputSchema' AS "inputSchema",
            coalesce(content -> 'outputSchema', response_schema) AS "outputSchema", spec_text AS "specText",
            greatest(position, v_position) AS position
     FROM (
       SELECT t.*, e.api_version_id, v.version AS v_version, v.content, v.spec_text, v.position AS v_position,
              t.active AND coalesce(e.active, true) AND t.lifecycle_status <> 'retired'
              AND NOT coalesce((coalesce(e.quarantine, false) OR t.quarantine)
                AND t.change_grade = ANY('{${quarantinedGrades.join(',')}}'::text[]), false) AS offered
       FROM tool_read t
       JOIN tool_version_t v ON v.host_id = t.host_id AND v.tool_id = t.tool_id AND v.state IN ('approved', 'deprecated')
        AND (v.version = t.version OR v.spec_text IS NOT NULL)
       LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id) AS tool
     ${where.sql()} ORDER BY name COLLATE "C", version_key(v_version) COLLATE "C", tool_id LIMIT ${String(limit)}`,
    where.values,
  );
}

/** Lists the tools that hold one of the names, in every environment, without those that this write takes out of use. */
export async function nameClaimsOf(
  sql: Sql,
  hostId: string,
  names: readonly string[],
  leaving: ReadonlySet<string> = new Set(),
): Promise<readonly NameClaim[]> {
  const rows = await sql.query<NameClaim>(
    `SELECT tool_id AS "toolId", name, version, env_tag AS "envTag"
     FROM tool_name_t WHERE host_id = $1 AND name = ANY($2::text[]) ORDER BY tool_id`,
    [hostId, [...new Set(names)]],
  );
  return rows.filter(({ toolId }) => !leaving.has(toolId));
}

/** A tool of an endpoint, as a publication or a refresh needs it. */
export interface EndpointTool extends NameClaim {
  readonly endpointId: string;
  /** The tool's own flag. */
  readonly active: boolean;
  readonly endpointActive: boolean;
  /** Whether the API version and its API are active. */
  readonly versionActive: boolean;
  readonly aggregateVersion: number;
  readonly position: number;
}

/** The tools of those endpoints that are published, active or not, in one query. */
export async function toolsOfEndpoints(
  sql: Sql,
  hostId: string,
  endpointIds: readonly string[],
): Promise<readonly EndpointTool[]> {
  return sql.query<EndpointTool>(
    `SELECT t.tool_id AS "toolId", t.endpoint_id AS "endpointId", t.name, t.version, t.env_tag AS "envTag", t.active,
            t.endpoint_active AS "endpointActive", v.active AS "versionActive",
            t.aggregate_version AS "aggregateVersion", t.position
     FROM tool_t t
     JOIN api_version_read v ON v.host_id = t.host_id AND v.api_version_id = t.api_version_id
     WHERE t.host_id = $1 AND t.endpoint_id = ANY($2::uuid[]) ORDER BY t.tool_id`,
    [hostId, endpointIds],
  );
}

/** Ids of the endpoints of an API version that can still be published: active, not published yet, and no streams. */
export async function unpublishedEndpoints(
  sql: Sql,
  hostId: string,
  apiVersionId: string,
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ endpointId: string }>(
    `SELECT endpoint_id AS "endpointId" FROM endpoint_read e
     WHERE host_id = $1 AND api_version_id = $2 AND active AND tool_metadata #> '{extras,streaming}' IS NULL
       AND NOT EXISTS (SELECT FROM tool_t t WHERE t.host_id = e.host_id AND t.endpoint_id = e.endpoint_id)`,
    [hostId, apiVersionId],
  );
  return new Set(rows.map(({ endpointId }) => endpointId));
}

/** The tools that take their names again when these API versions come back, in one query. */
export async function returningTools(
  sql: Sql,
  hostId: string,
  apiVersionIds: readonly string[],
): Promise<readonly NameClaim[]> {
  return sql.query<NameClaim>(
    `SELECT tool_id AS "toolId", name, version, env_tag AS "envTag" FROM tool_t
     WHERE host_id = $1 AND api_version_id = ANY($2::uuid[]) AND active AND endpoint_active ORDER BY tool_id`,
    [hostId, apiVersionIds],
  );
}
