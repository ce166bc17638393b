import { knownEndpoints } from '../endpoints/endpoint-layer.lookup.js';
import type { KnownEndpoint } from '../endpoints/endpoint.state.js';
import type { LayerFacts } from '../endpoints/layer-facts.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
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
  readonly accepted: LayerFacts | undefined;
  readonly known: KnownEndpoint | undefined;
}

type Row = Omit<CatalogTool, 'accepted' | 'known'>;

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
  const rows = await sql.query<Row>(
    `SELECT t.tool_id AS "toolId", t.name, t.description, t.input_schema AS "inputSchema",
            t.response_schema AS "outputSchema", t.sensitivity_tier AS tier, t.tool_metadata AS metadata,
            t.service_id AS "serviceId", t.env_tag AS "envTag", t.endpoint_id AS "endpointId", e.endpoint,
            t.active AND coalesce(e.active, true) AND t.lifecycle_status <> 'retired' AS active,
            t.lifecycle_status = 'retired' AS retired, t.active AS "ownActive", coalesce(x.active, false) AS exposed
     FROM tool_read t
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
     LEFT JOIN tool_exposure_t x ON x.host_id = t.host_id AND x.tool_id = t.tool_id AND x.gateway_id = $2
     WHERE t.host_id = $1 AND (t.env_tag IS NULL OR t.env_tag = $3)
       AND (x.active OR t.name = ANY($4::text[]) OR e.endpoint = ANY($5::text[]))
     ORDER BY coalesce(x.active, false) DESC, x.active IS NOT NULL DESC, t.active DESC, t.position DESC, t.tool_id`,
    [hostId, gatewayId, envTag, listed.names, listed.endpoints],
  );
  const endpointIds = rows.flatMap(({ endpointId }) => endpointId ?? []);
  const endpoints = await knownEndpoints(sql, hostId, [...new Set(endpointIds)]);
  return rows.map((row) => {
    const known = row.endpointId === null ? undefined : endpoints.get(row.endpointId);
    return { ...row, known, accepted: known?.layers.gateway };
  });
}
