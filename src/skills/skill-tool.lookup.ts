import type { Sql } from '../eventsourcing/sql.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';

/** What a change of a link must know of the link as it is, or last was. */
export interface LinkStanding {
  readonly toolId: string;
  readonly active: boolean;
  readonly approvalWorkflow: string | null;
  readonly maxSensitivityTier: Tier | null;
}

/** The links that the skill has or had to these tools, by tool. */
export async function linkStandingsOf(
  sql: Sql,
  hostId: string,
  skillId: string,
  toolIds: readonly string[],
): Promise<ReadonlyMap<string, LinkStanding>> {
  const rows = await sql.query<LinkStanding>(
    `SELECT tool_id AS "toolId", active, config ->> 'approvalWorkflow' AS "approvalWorkflow",
            config ->> 'maxSensitivityTier' AS "maxSensitivityTier"
     FROM skill_tool_t WHERE host_id = $1 AND skill_id = $2 AND tool_id = ANY($3::uuid[])`,
    [hostId, skillId, toolIds],
  );
  return new Map(rows.map((row) => [row.toolId, row]));
}
