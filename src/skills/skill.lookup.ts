import type { Sql } from '../eventsourcing/sql.js';

/** What an assignment must know of a skill. */
export interface SkillFacts {
  readonly skillId: string;
  readonly name: string;
  readonly active: boolean;
  /** An active link to an active tool. */
  readonly hasActiveTool: boolean;
}

/** The facts of those skills that exist, in one query. */
export async function skillFactsOf(
  sql: Sql,
  hostId: string,
  skillIds: readonly string[],
): Promise<ReadonlyMap<string, SkillFacts>> {
  const rows = await sql.query<SkillFacts>(
    `SELECT s.skill_id AS "skillId", s.name, s.active, EXISTS (
       SELECT FROM skill_tool_t l JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
       WHERE l.host_id = s.host_id AND l.skill_id = s.skill_id AND l.active AND t.active) AS "hasActiveTool"
     FROM skill_t s WHERE s.host_id = $1 AND s.skill_id = ANY($2::uuid[])`,
    [hostId, skillIds],
  );
  return new Map(rows.map((row) => [row.skillId, row]));
}
