import { NotFound } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import { sees, type Visibility } from '../platform/auth/visibility.js';
import { type Conditions, visibleRows } from '../platform/database/conditions.js';

/** Throws NotFound where the token is confined to an agent whose catalog lacks the skill. */
export function refuseUnseen(visibility: Visibility, skillId: string): void {
  if (!sees(visibility, {}, (within) => within.skillIds.includes(skillId)))
    throw new NotFound('skill', skillId);
}

/** Throws NotFound where there is no such skill, or the token does not reach it. */
export async function requireSkill(sql: Sql, visibility: Visibility, skillId: string): Promise<void> {
  refuseUnseen(visibility, skillId);
  const found = await sql.query('SELECT FROM skill_t WHERE host_id = $1 AND skill_id = $2', [
    visibility.hostId,
    skillId,
  ]);
  if (found.length === 0) throw new NotFound('skill', skillId);
}

/** Restricts `skill_t` to what a reader may see: a skill belongs to no service, so every token of the host reaches it. */
export function visibleSkills(visibility: Visibility): Conditions {
  return visibleRows(visibility, { limits: [], confined: ['skill_id', ({ skillIds }) => skillIds] });
}

/** Facts about a skill for the rules of an assignment. */
export interface SkillFacts {
  readonly skillId: string;
  readonly name: string;
  readonly active: boolean;
  /** Whether it has an active link to an active tool. */
  readonly hasActiveTool: boolean;
}

/** Loads the facts of those skills that exist, in one query. */
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
