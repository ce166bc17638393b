import type { Sql } from '../eventsourcing/sql.js';

/** What a change of a link must know of its skill, and of the link as it is. */
export interface LinkFacts {
  readonly skillKnown: boolean;
  /** Of the link that is there. */
  readonly approvalWorkflow: string | null;
}

export async function linkFactsOf(
  sql: Sql,
  hostId: string,
  skillId: string,
  toolId: string,
): Promise<LinkFacts> {
  const [row] = await sql.query<{ readonly approvalWorkflow: string | null }>(
    `SELECT l.config ->> 'approvalWorkflow' AS "approvalWorkflow" FROM skill_t s
     LEFT JOIN skill_tool_t l
       ON l.host_id = s.host_id AND l.skill_id = s.skill_id AND l.tool_id = $3 AND l.active
     WHERE s.host_id = $1 AND s.skill_id = $2`,
    [hostId, skillId, toolId],
  );
  return { skillKnown: row !== undefined, approvalWorkflow: row?.approvalWorkflow ?? null };
}
