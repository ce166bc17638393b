import { type ApiVersionFacts, findApiVersion } from '../endpoints/public.js';
import { NotFound } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { covers } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { type Conditions, visibleRows } from '../platform/database/conditions.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';

type Reach = Pick<Visibility, 'hostId' | 'services' | 'environments'>;

/** Restricts a table with `service_id`, `env_tag` and `agent_def_id` to the agents that a reader may see. */
export function visibleAgents(visibility: Visibility): Conditions {
  return visibleRows(visibility, { confined: ['agent_def_id', ({ agentDefIds }) => agentDefIds] });
}

/** Throws NotFound where the agent does not exist or has no profile yet. */
export async function requireAgent(sql: Sql, reach: Reach, agentDefId: string): Promise<void> {
  await coveredVersion(sql, reach, agentDefId);
  const tier = await agentTierOf(sql, reach.hostId, agentDefId);
  if (tier === undefined) throw new NotFound('agent', agentDefId);
}

/** Finds the API version of the agent. Throws NotFound where there is none that the token covers. */
export async function coveredVersion(sql: Sql, reach: Reach, agentDefId: string): Promise<ApiVersionFacts> {
  const version = await findApiVersion(sql, reach.hostId, agentDefId);
  if (version === undefined || !covers(reach, version.serviceId, version.envTag)) {
    throw new NotFound('agent', agentDefId);
  }
  return version;
}

/** Finds the tier up to which the agent is given tools; undefined where it has no profile yet. */
export async function agentTierOf(sql: Sql, hostId: string, agentDefId: string): Promise<Tier | undefined> {
  const [row] = await sql.query<{ readonly tier: Tier }>(
    `SELECT max_sensitivity_tier AS tier FROM agent_definition_t WHERE host_id = $1 AND agent_def_id = $2`,
    [hostId, agentDefId],
  );
  return row?.tier;
}
