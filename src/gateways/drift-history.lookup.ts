import type { Sql } from '../eventsourcing/sql.js';

/** Position of the last findings of a gateway that were accepted. */
export async function lastAcceptance(
  sql: Sql,
  hostId: string,
  gatewayId: string,
): Promise<number | undefined> {
  const [row] = await sql.query<{ position: number }>(
    `SELECT position FROM gateway_drift_t WHERE host_id = $1 AND gateway_id = $2 AND kind = 'accepted'
     ORDER BY position DESC LIMIT 1`,
    [hostId, gatewayId],
  );
  return row?.position;
}
