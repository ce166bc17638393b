import type { Sql } from '../eventsourcing/sql.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';

/** The tier up to which the agent is given tools; undefined where it has no profile yet. */
export async function agentTierOf(sql: Sql, hostId: string, agentDefId: string): Promise<Tier | undefined> {
  const [row] = await sql.query<{ readonly tier: Tier }>(
    `SELECT max_sensitivity_tier AS tier FROM agent_definition_t WHERE host_id = $1 AND agent_def_id = $2`,
    [hostId, agentDefId],
  );
  return row?.tier;
}
