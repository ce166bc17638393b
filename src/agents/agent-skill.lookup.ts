import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { skillFactsOf, type SkillFacts } from '../skills/skill.lookup.js';
import type { AssignmentTerms } from './agent-skill.commands.js';

/** An assignment as it is, or as it last was. */
export interface Standing {
  readonly active: boolean;
  readonly terms: AssignmentTerms;
}

/** The skills that the agent has or had, in the order of their ids; only those named where some are. */
export async function standingsOf(
  sql: Sql,
  hostId: string,
  agentDefId: string,
  skillIds: readonly string[] | null = null,
): Promise<ReadonlyMap<string, Standing>> {
  const rows = await sql.query<AssignmentTerms & { readonly skillId: string; readonly active: boolean }>(
    `SELECT skill_id AS "skillId", active, config, priority, sequence_id AS "sequenceId" FROM agent_skill_t
     WHERE host_id = $1 AND agent_def_id = $2 AND ($3::uuid[] IS NULL OR skill_id = ANY($3::uuid[]))
     ORDER BY skill_id`,
    [hostId, agentDefId, skillIds],
  );
  return new Map(rows.map(({ skillId, active, ...terms }) => [skillId, { active, terms }]));
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
