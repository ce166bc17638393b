import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { covers } from '../platform/auth/caller.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { GatewayProfile } from './gateway.fields.js';

/** A gateway as it is now. */
export interface GatewayFacts extends GatewayProfile {
  readonly gatewayId: string;
  readonly active: boolean;
  readonly maxSensitivityTier: Tier;
}

/** One keyed read. */
export async function findGateway(
  sql: Sql,
  hostId: string,
  gatewayId: string,
): Promise<GatewayFacts | undefined> {
  const [row] = await sql.query<GatewayFacts>(
    `SELECT gateway_id AS "gatewayId", service_id AS "serviceId", env_tag AS "envTag", url,
            protocol_version AS "protocolVersion", max_sensitivity_tier AS "maxSensitivityTier", auth,
            check_interval_seconds AS "checkIntervalSeconds", active
     FROM gateway_t WHERE host_id = $1 AND gateway_id = $2`,
    [hostId, gatewayId],
  );
  return row;
}

/** Those of these ids that are gateways of the host, active or not. */
export async function knownGateways(
  sql: Sql,
  hostId: string,
  gatewayIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ readonly id: string }>(
    'SELECT gateway_id AS id FROM gateway_t WHERE host_id = $1 AND gateway_id = ANY ($2::uuid[])',
    [hostId, gatewayIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Throws NotFound: what the token does not cover answers like what does not exist (contract 2). */
export async function requireGateway(
  sql: Sql,
  visibility: Visibility,
  gatewayId: string,
): Promise<GatewayFacts> {
  const gateway = await findGateway(sql, visibility.hostId, gatewayId);
  if (gateway === undefined || !reaches(visibility, gateway)) throw new NotFound('gateway', gatewayId);
  return gateway;
}

/** A token with `agent_def_id` reaches no gateway: none is part of an agent's catalog. */
export function reaches(
  visibility: Visibility,
  { serviceId, envTag }: Pick<GatewayProfile, 'serviceId' | 'envTag'>,
): boolean {
  return visibility.within === undefined && covers(visibility, serviceId, envTag);
}
