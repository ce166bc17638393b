import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { skillFactsOf, type SkillFacts } from '../skills/skill.lookup.js';
import type { AssignmentTerms } from './agent-skill.commands.js';

/** The skills that the agent has now, with their terms. */
export async function assignmentsOf(
  sql: Sql,
  hostId: string,
  agentDefId: string,
): Promise<ReadonlyMap<string, AssignmentTerms>> {
  const rows = await sql.query<AssignmentTerms & { readonly skillId: string }>(
    `SELECT skill_id AS "skillId", config, priority, sequence_id AS "sequenceId" FROM agent_skill_t
     WHERE host_id = $1 AND agent_def_id = $2 AND active ORDER BY skill_id`,
    [hostId, agentDefId],
  );
  return new Map(rows.map(({ skillId, ...terms }) => [skillId, terms]));
}

/** Facts of those of the skills that exist and that the token reaches. */
export async function skillsSeen(
  sql: Sql,
  { hostId, within }: Visibility,
  skillIds: readonly string[],
): Promise<ReadonlyMap<string, SkillFacts>> {
  const seen = skillIds.filter((skillId) => within === undefined || within.skillIds.includes(skillId));
  return skillFactsOf(sql, hostId, seen);
}
