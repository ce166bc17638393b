import type { Sql } from '../eventsourcing/sql.js';
import type { Exposure } from './exposure.events.js';
import type { ExposureBody } from './exposure.schemas.js';

/** An exposure with the name under which the gateway lists the tool. */
export interface ExposureFacts extends Exposure {
  readonly name: string;
}

/** What is exposed on a gateway now, by tool. */
export async function exposuresOf(
  sql: Sql,
  hostId: string,
  gatewayId: string,
): Promise<ReadonlyMap<string, ExposureFacts>> {
  const rows = await sql.query<ExposureFacts>(
    `SELECT x.gateway_id AS "gatewayId", x.tool_id AS "toolId", x.target_host AS "targetHost", x.protocol,
            x.runtime, t.name
     FROM tool_exposure_t x JOIN tool_read t ON t.host_id = x.host_id AND t.tool_id = x.tool_id
     WHERE x.host_id = $1 AND x.gateway_id = $2 AND x.active ORDER BY x.tool_id`,
    [hostId, gatewayId],
  );
  return new Map(rows.map((row) => [row.toolId, row]));
}

/** Those of the tools that another active gateway exposes as well. */
export async function exposedElsewhere(
  sql: Sql,
  hostId: string,
  gatewayId: string,
  toolIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ readonly toolId: string }>(
    `SELECT x.tool_id AS "toolId" FROM tool_exposure_t x
     JOIN gateway_t g ON g.host_id = x.host_id AND g.gateway_id = x.gateway_id
     WHERE x.host_id = $1 AND x.gateway_id <> $2 AND x.tool_id = ANY($3::uuid[]) AND x.active AND g.active`,
    [hostId, gatewayId, toolIds],
  );
  return new Set(rows.map(({ toolId }) => toolId));
}

/** How the tool is exposed on the gateway, or was before it was taken off. */
export async function formerExposure(
  sql: Sql,
  hostId: string,
  gatewayId: string,
  toolId: string,
): Promise<Omit<ExposureBody, 'toolId'>> {
  const [row] = await sql.query<Exposure>(
    `SELECT target_host AS "targetHost", protocol, runtime FROM tool_exposure_t
     WHERE host_id = $1 AND gateway_id = $2 AND tool_id = $3`,
    [hostId, gatewayId, toolId],
  );
  if (row === undefined) return {};
  const { targetHost, protocol, runtime } = row;
  return {
    runtime,
    ...(targetHost !== null && { targetHost }),
    ...(protocol !== null && { protocol }),
  };
}
