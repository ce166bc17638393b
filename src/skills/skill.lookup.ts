import type { Sql } from '../eventsourcing/sql.js';
import type { SkillSurroundings } from './skill.commands.js';

/** What an assignment must know of a skill (contract 6). */
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

/** What a skill that would have this name and this parent stands among; nothing is asked for where both are null. */
export async function surroundingsOf(
  sql: Sql,
  hostId: string,
  skill: { readonly skillId: string; readonly name: string | null; readonly parentSkillId: string | null },
): Promise<SkillSurroundings> {
  if (skill.name === null && skill.parentSkillId === null) return { nameHeldBy: null, lineage: [] };
  const [row] = await sql.query<SkillSurroundings>(
    `WITH RECURSIVE lineage (skill_id, parent_skill_id, depth) AS (
       SELECT skill_id, parent_skill_id, 1 FROM skill_t WHERE host_id = $1 AND skill_id = $4::uuid
       UNION ALL
       SELECT p.skill_id, p.parent_skill_id, l.depth + 1
       FROM lineage l JOIN skill_t p ON p.host_id = $1 AND p.skill_id = l.parent_skill_id)
     SELECT
       (SELECT skill_id::text FROM skill_t
        WHERE host_id = $1 AND name = $3 AND active AND skill_id <> $2) AS "nameHeldBy",
       ARRAY(SELECT skill_id::text FROM lineage ORDER BY depth) AS lineage`,
    [hostId, skill.skillId, skill.name, skill.parentSkillId],
  );
  if (row === undefined) throw new Error('A select without FROM gives one row.');
  return row;
}

/** The other active skill that has the name of this one, whatever this one's state. */
export async function nameHolderOf(sql: Sql, hostId: string, skillId: string): Promise<string | null> {
  const [row] = await sql.query<{ holder: string }>(
    `SELECT other.skill_id AS holder FROM skill_t this
     JOIN skill_t other ON other.host_id = this.host_id AND other.name = this.name
     WHERE this.host_id = $1 AND this.skill_id = $2 AND other.active AND other.skill_id <> this.skill_id`,
    [hostId, skillId],
  );
  return row?.holder ?? null;
}
