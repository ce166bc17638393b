import { knownEndpoints } from '../endpoints/endpoint-layer.lookup.js';
import type { KnownEndpoint } from '../endpoints/endpoint.state.js';
import type { EndpointFacts } from '../formats/endpoint-facts.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import { approvedMetadata } from './approved-metadata.statement.js';
import type { RuntimeMetadata } from './exposed-tools.lookup.js';
import type { GatewayFacts } from './gateway.lookup.js';

/** A tool of the catalog beside what the gateway lists. */
export interface CatalogTool {
  readonly toolId: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly tier: Tier;
  readonly metadata: RuntimeMetadata;
  readonly serviceId: string | null;
  readonly envTag: string | null;
  readonly endpointId: string | null;
  /** The endpoint key. */
  readonly endpoint: string | null;
  /** Whether it is offered: its own flag and its endpoint's, and that it is not retired. */
  readonly active: boolean;
  readonly retired: boolean;
  /** The tool's own flag. */
  readonly ownActive: boolean;
  /** Whether it is selected for this gateway. */
  readonly exposed: boolean;
  /** What was accepted of the gateway's words: layer 5 of the endpoint. */
  readonly accepted: EndpointFacts | undefined;
  readonly known: KnownEndpoint | undefined;
}

type Row = Omit<CatalogTool, 'accepted' | 'known' | 'exposed'>;

/**
 * The tools that are exposed on the gateway, or called as it lists some, or behind one of these endpoint keys, of the
 * gateway's environment. Of several with one name those come first that are or were exposed here, then active ones.
 */
export async function catalogToolsOf(
  sql: Sql,
  hostId: string,
  { gatewayId, envTag }: GatewayFacts,
  listed: { readonly names: readonly string[]; readonly endpoints: readonly string[] },
): Promise<CatalogTool[]> {
  const selected = await selectedFor(sql, hostId, gatewayId);
  const places = await endpointsAt(sql, hostId, listed.endpoints);
  const rows = await sql.query<Row>(
    `SELECT t.tool_id AS "toolId", t.name, t.description, t.input_schema AS "inputSchema",
            t.response_schema AS "outputSchema", t.sensitivity_tier AS tier, ${approvedMetadata} AS metadata,
            t.service_id AS "serviceId", t.env_tag AS "envTag", t.endpoint_id AS "endpointId", e.endpoint,
            t.active AND coalesce(e.active, true) AND t.lifecycle_status <> 'retired' AS active,
            t.lifecycle_status = 'retired' AS retired, t.active AS "ownActive"
     FROM tool_read t
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
     WHERE t.host_id = $1 AND (t.env_tag IS NULL OR t.env_tag = $2)
       AND (t.tool_id = ANY($3::uuid[]) OR t.name = ANY($4::text[]) OR t.endpoint_id = ANY($5::uuid[]))
     ORDER BY t.active DESC, t.position DESC, t.tool_id`,
    [hostId, envTag, [...selected.keys()].filter((toolId) => selected.get(toolId)), listed.names, places],
  );
  const endpointIds = rows.flatMap(({ endpointId }) => endpointId ?? []);
  const endpoints = await knownEndpoints(sql, hostId, [...new Set(endpointIds)]);
  const rank = ({ toolId }: Row): number => Number(selected.get(toolId) ?? -1);
  return rows
    .sort((one, other) => rank(other) - rank(one))
    .map((row) => {
      const known = row.endpointId === null ? undefined : endpoints.get(row.endpointId);
      return { ...row, exposed: selected.get(row.toolId) ?? false, known, accepted: known?.layers.gateway };
    });
}

/** By tool that is or was selected for the gateway, whether it is. Joined here: the database would go through all for each. */
async function selectedFor(
  sql: Sql,
  hostId: string,
  gatewayId: string,
): Promise<ReadonlyMap<string, boolean>> {
  const rows = await sql.query<{ readonly toolId: string; readonly active: boolean }>(
    `SELECT tool_id AS "toolId", active FROM tool_exposure_t WHERE host_id = $1 AND gateway_id = $2`,
    [hostId, gatewayId],
  );
  return new Map(rows.map(({ toolId, active }) => [toolId, active]));
}

async function endpointsAt(sql: Sql, hostId: string, keys: readonly string[]): Promise<readonly string[]> {
  const rows = await sql.query<{ readonly id: string }>(
    'SELECT endpoint_id AS id FROM endpoint_read WHERE host_id = $1 AND endpoint = ANY($2::text[])',
    [hostId, keys],
  );
  return rows.map(({ id }) => id);
}
