import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { sees, type Visibility } from '../platform/auth/visibility.js';
import { type Conditions, visibleRows } from '../platform/database/conditions.js';

/** Throws NotFound: a token with `agent_def_id` reaches only the skills of that agent's catalog. */
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

/** What of `skill_t` a reader may see: a skill belongs to no service, every token of the host reaches it. */
export function visibleSkills(visibility: Visibility): Conditions {
  return visibleRows(visibility, { limits: [], confined: ['skill_id', ({ skillIds }) => skillIds] });
}
