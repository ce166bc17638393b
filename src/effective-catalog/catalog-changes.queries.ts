import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Sql } from '../eventsourcing/sql.js';
import { isUuid } from '../platform/validation/validator.js';

/** What these events say about catalogs: ids by which the agents concerned are found, or that any may be. */
export type Concern = readonly string[] | 'all';

/** Aggregates whose events name a skill, a tool, an endpoint, an API version or an agent. Others concern everybody. */
const named: ReadonlySet<string> = new Set([
  'ApiVersion',
  'ApiVersionSpec',
  'ApiEndpoint',
  'Tool',
  'Skill',
  'SkillTool',
  'SkillDependency',
  'SkillWorkflow',
  'AgentDefinition',
  'AgentSkill',
  'ToolExposure',
  'EntityTaxonomy',
]);

export function concernOf(events: readonly RecordedEvent[]): Concern {
  if (events.some(({ aggregatetype }) => !named.has(aggregatetype))) return 'all';
  const ids = events.flatMap(({ aggregateid, data }) => [
    aggregateid,
    ...Object.entries((data as object | null) ?? {}).flatMap(([name, value]) =>
      name.endsWith('Id') && isUuid(value) ? [value] : [],
    ),
  ]);
  return [...new Set(ids)].filter(isUuid);
}

/** Of the agents given, those that one of these ids is, or reaches over an assignment, a link or an endpoint. */
export async function agentsConcerned(
  sql: Sql,
  hostId: string,
  agentDefIds: readonly string[],
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql.query<{ agentDefId: string }>(
    `WITH tools AS MATERIALIZED (
       SELECT tool_id FROM tool_read WHERE host_id = $1::uuid AND tool_id = ANY ($3::uuid[])
       UNION SELECT t.tool_id FROM tool_read t
         WHERE t.host_id = $1::uuid AND t.endpoint_id = ANY (ARRAY(
           SELECT endpoint_id FROM endpoint_read WHERE host_id = $1::uuid AND endpoint_id = ANY ($3::uuid[])
           UNION SELECT endpoint_id FROM endpoint_read WHERE host_id = $1::uuid AND api_version_id = ANY ($3::uuid[])))
     ), skills AS MATERIALIZED (
       SELECT skill_id FROM skill_tool_read
         WHERE host_id = $1::uuid AND tool_id = ANY (ARRAY(SELECT tool_id FROM tools)) AND active
       UNION SELECT unnest($3::uuid[])
     )
     SELECT DISTINCT agent_def_id AS "agentDefId" FROM agent_skill_read
       WHERE host_id = $1::uuid AND agent_def_id = ANY ($2::uuid[])
         AND skill_id = ANY (ARRAY(SELECT skill_id FROM skills)) AND active
     UNION SELECT agent FROM unnest($2::uuid[]) AS agent WHERE agent = ANY ($3::uuid[])`,
    [hostId, agentDefIds, ids],
  );
  return rows.map(({ agentDefId }) => agentDefId);
}
