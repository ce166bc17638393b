import type { Sql } from '../eventsourcing/sql.js';

/** What a dependency must know of the two skills that it joins. */
export interface DependencyFacts {
  readonly skillKnown: boolean;
  readonly targetKnown: boolean;
  /** Whether the skill is reached from the other one, inactive skills on the way included: they may come back. */
  readonly circular: boolean;
}

export async function dependencyFactsOf(
  sql: Sql,
  hostId: string,
  skillId: string,
  dependsOnSkillId: string,
): Promise<DependencyFacts> {
  const [row] = await sql.query<DependencyFacts>(
    `WITH RECURSIVE reached (skill_id) AS (
       SELECT $3::uuid
       UNION
       SELECT d.depends_on_skill_id FROM reached r
       JOIN skill_dependency_t d ON d.host_id = $1 AND d.skill_id = r.skill_id AND d.active)
     SELECT EXISTS (SELECT FROM skill_t WHERE host_id = $1 AND skill_id = $2) AS "skillKnown",
            EXISTS (SELECT FROM skill_t WHERE host_id = $1 AND skill_id = $3) AS "targetKnown",
            $2::uuid IN (SELECT skill_id FROM reached) AS circular`,
    [hostId, skillId, dependsOnSkillId],
  );
  if (row === undefined) throw new Error('A select without FROM gives one row.');
  return row;
}
