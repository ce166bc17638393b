import type { Command } from '../eventsourcing/command.js';
import { Invalid } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { knownGateways } from '../gateways/gateway.lookup.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { requireScope } from '../platform/auth/claims.js';
import { exceeds } from '../platform/auth/sensitivity-tier.js';
import { refuseSecretsIn } from '../platform/validation/secret-faults.js';
import { ActivateAgent, DeactivateAgent, WriteAgentProfile } from './agent.commands.js';
import { agentTierOf } from './agent.lookup.js';
import type { AgentProfileBody } from './agent.schemas.js';
import { coveredVersion, requireAgent } from './agents.filter.js';

export async function planProfile(
  sql: Sql,
  caller: Caller,
  agentDefId: string,
  profile: AgentProfileBody,
): Promise<Command[]> {
  await refuseSecretsIn(profile);
  const { apiType } = await coveredVersion(sql, caller, agentDefId);
  const tier = await agentTierOf(sql, caller.hostId, agentDefId);
  await requireKnown(sql, caller.hostId, profile.gatewayIds);
  if (exceeds(profile.maxSensitivityTier, tier ?? 'internal')) requireScope(caller, 'catalog:admin');
  return [new WriteAgentProfile(caller.hostId, agentDefId, { profile, apiType })];
}

/** Throws Invalid that points at each gateway that the host does not have: the agent would be shown no tool, and nobody told. */
async function requireKnown(sql: Sql, hostId: string, gatewayIds: readonly string[]): Promise<void> {
  if (gatewayIds.length === 0) return;
  const known = await knownGateways(sql, hostId, gatewayIds);
  const faults = gatewayIds.flatMap((gatewayId, index) =>
    known.has(gatewayId)
      ? []
      : [{ pointer: `/gatewayIds/${String(index)}`, detail: `There is no gateway ${gatewayId}.` }],
  );
  if (faults.length > 0)
    throw new Invalid('invalid_body', 'The profile names gateways that are not there.', faults);
}

/** Always allowed: profile and assignments stay, and the agent is given nothing. */
export async function planDeactivation(
  sql: Sql,
  visibility: Visibility,
  agentDefId: string,
): Promise<Command[]> {
  await requireAgent(sql, visibility, agentDefId);
  return [new DeactivateAgent(visibility.hostId, agentDefId, {})];
}

export async function planActivation(
  sql: Sql,
  visibility: Visibility,
  agentDefId: string,
): Promise<Command[]> {
  await requireAgent(sql, visibility, agentDefId);
  return [new ActivateAgent(visibility.hostId, agentDefId, {})];
}
