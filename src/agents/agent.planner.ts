import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import { exceeds } from '../platform/auth/sensitivity-tier.js';
import { refuseSecretsIn } from '../platform/validation/secret-faults.js';
import { WriteAgentProfile } from './agent.commands.js';
import { agentTierOf } from './agent.lookup.js';
import type { AgentProfileBody } from './agent.schemas.js';
import { coveredVersion } from './agents.filter.js';

export async function planProfile(
  sql: Sql,
  caller: Caller,
  agentDefId: string,
  profile: AgentProfileBody,
): Promise<Command[]> {
  await refuseSecretsIn(profile);
  const { apiType } = await coveredVersion(sql, caller, agentDefId);
  const tier = await agentTierOf(sql, caller.hostId, agentDefId);
  if (exceeds(profile.maxSensitivityTier, tier ?? 'internal')) requireScope(caller, 'catalog:admin');
  return [new WriteAgentProfile(caller.hostId, agentDefId, { profile, apiType })];
}
