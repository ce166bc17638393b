import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { visibleRows } from '../platform/database/visible-rows.js';

/** A gateway that may serve an agent, with the tools that the catalog exposes on it. */
export interface AgentGateway {
  readonly gatewayId: string;
  readonly serviceId: string;
  readonly toolIds: readonly string[];
}

/** The active gateways that the agent names, or without any those of its environment, as far as the token covers them. */
export async function gatewaysOfAgent(
  sql: Sql,
  visibility: Visibility,
  agentDefId: string,
): Promise<AgentGateway[]> {
  const where = visibleRows(visibility).add('agent_def_id = ?', agentDefId);
  return sql.query<AgentGateway>(
    `SELECT gateway_id AS "gatewayId", service_id AS "serviceId", "toolIds" FROM (
       SELECT g.host_id, g.gateway_id, g.service_id, g.env_tag, a.agent_def_id, ARRAY(
         SELECT x.tool_id::text FROM tool_exposure_read x
         WHERE x.host_id = g.host_id AND x.gateway_id = g.gateway_id AND x.active) AS "toolIds"
       FROM gateway_read g
       JOIN agent_read a ON a.host_id = g.host_id AND CASE WHEN cardinality(a.gateway_ids) > 0
         THEN g.gateway_id::text = ANY(a.gateway_ids) ELSE g.env_tag = a.env_tag END
       WHERE g.active) AS served
     ${where.sql()} ORDER BY service_id COLLATE "C", gateway_id LIMIT 50`,
    where.values,
  );
}
