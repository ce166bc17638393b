import type { Sql } from '../eventsourcing/sql.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { NameClaim } from './tool-name.js';
import type { ToolWords } from './tool-facts.js';

/** What the floors above need of a tool: who may see it, whether it is on, and how dangerous it is. */
export interface ToolFacts {
  readonly toolId: string;
  readonly name: string;
  readonly version: string;
  /** The tool's own flag; its endpoint may be off all the same. */
  readonly active: boolean;
  /** Null for a tool without an endpoint: it is host-wide. */
  readonly serviceId: string | null;
  /** Null: every environment. */
  readonly envTag: string | null;
  readonly tier: Tier;
  readonly safety: ToolWords['safety'];
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

/** The tools that hold one of the names, in every environment, less those that this write takes out of use. */
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
    `SELECT tool_id AS "toolId", endpoint_id AS "endpointId", name, version, env_tag AS "envTag", active,
            endpoint_active AS "endpointActive", aggregate_version AS "aggregateVersion", position
     FROM tool_t WHERE host_id = $1 AND endpoint_id = ANY($2::uuid[]) ORDER BY tool_id`,
    [hostId, endpointIds],
  );
}
