import type { Sql } from '../eventsourcing/sql.js';
import { covers } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';

/** A gateway that may serve an agent, with those of the agent's tools that the catalog exposes on it. */
export interface AgentGateway {
  readonly gatewayId: string;
  readonly serviceId: string;
  readonly toolIds: readonly string[];
}

export interface AgentGateways {
  readonly asked: readonly AgentGateway[];
  /** Tools that are exposed on others as well: the token does not cover them, or they are too many to be asked. */
  readonly elsewhere: ReadonlySet<string>;
}

/** Gateways that are asked for one report. */
const mostAsked = 50;

/** The active gateways that the agent names, or without any those of its environment. */
export async function gatewaysOfAgent(
  sql: Sql,
  visibility: Visibility,
  agentDefId: string,
  toolIds: readonly string[],
): Promise<AgentGateways> {
  const rows = await sql.query<AgentGateway & { readonly envTag: string }>(
    `SELECT g.gateway_id AS "gatewayId", g.service_id AS "serviceId", g.env_tag AS "envTag", ARRAY(
       SELECT x.tool_id::text FROM tool_exposure_read x
       WHERE x.host_id = g.host_id AND x.gateway_id = g.gateway_id AND x.active
         AND x.tool_id = ANY($3::uuid[])) AS "toolIds"
     FROM gateway_read g
     JOIN agent_read a ON a.host_id = g.host_id AND CASE WHEN cardinality(a.gateway_ids) > 0
       THEN g.gateway_id::text = ANY(a.gateway_ids) ELSE g.env_tag = a.env_tag END
     WHERE g.host_id = $1 AND a.agent_def_id = $2 AND g.active
     ORDER BY g.service_id COLLATE "C", g.gateway_id`,
    [visibility.hostId, agentDefId, toolIds],
  );
  const asked = rows.filter(({ serviceId, envTag }) => covers(visibility, serviceId, envTag));
  asked.splice(mostAsked);
  const others = rows.filter((row) => !asked.includes(row));
  return { asked, elsewhere: new Set(others.flatMap((gateway) => gateway.toolIds)) };
}
