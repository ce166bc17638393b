import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { ActivateGateway, DeactivateGateway, WriteGateway } from './gateway.commands.js';
import type { GatewayProfile } from './gateway.events.js';
import { findGateway, neighbourOf, reaches, requireGateway } from './gateway.lookup.js';

export async function planGateway(
  sql: Sql,
  visibility: Visibility,
  gatewayId: string,
  profile: GatewayProfile,
): Promise<Command[]> {
  const { hostId } = visibility;
  const known = await findGateway(sql, hostId, gatewayId);
  if (!reaches(visibility, known ?? profile)) throw new NotFound('gateway', gatewayId);
  const heldBy = known === undefined ? await neighbourOf(sql, hostId, { ...profile, gatewayId }) : null;
  return [new WriteGateway(hostId, gatewayId, { profile, heldBy })];
}

export async function planActivation(
  sql: Sql,
  visibility: Visibility,
  gatewayId: string,
): Promise<Command[]> {
  const gateway = await requireGateway(sql, visibility, gatewayId);
  const heldBy = await neighbourOf(sql, visibility.hostId, gateway);
  return [new ActivateGateway(visibility.hostId, gatewayId, { heldBy })];
}

export async function planDeactivation(
  sql: Sql,
  visibility: Visibility,
  gatewayId: string,
): Promise<Command[]> {
  await requireGateway(sql, visibility, gatewayId);
  return [new DeactivateGateway(visibility.hostId, gatewayId, {})];
}
