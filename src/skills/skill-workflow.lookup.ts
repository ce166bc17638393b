import type { Sql } from '../eventsourcing/sql.js';
import type { CallableTool, ToolCall } from '../workflows/tool-calls.js';
import type { SkillWorkflow } from './skill-workflow.events.js';

/** The tools that each skill has, active or not: what its workflows may call. */
export async function callableToolsOf(
  sql: Sql,
  hostId: string,
  skillIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CallableTool[]>> {
  const rows = await sql.query<CallableTool & { readonly skillId: string }>(
    `SELECT l.skill_id AS "skillId", t.tool_id AS "toolId", t.name, t.capability_ref AS "capabilityRef",
            t.endpoint_id AS "endpointId", e.endpoint, t.active
     FROM skill_tool_t l
     JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
     WHERE l.host_id = $1 AND l.skill_id = ANY($2::uuid[]) AND l.active`,
    [hostId, skillIds],
  );
  const tools = new Map<string, CallableTool[]>();
  for (const { skillId, ...tool } of rows) tools.set(skillId, [...(tools.get(skillId) ?? []), tool]);
  return tools;
}

/** These tools as workflows call them, linked or not. */
export async function callableTools(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
): Promise<readonly CallableTool[]> {
  return sql.query(
    `SELECT t.tool_id AS "toolId", t.name, t.capability_ref AS "capabilityRef", t.endpoint_id AS "endpointId",
            e.endpoint, t.active
     FROM tool_read t
     LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
     WHERE t.host_id = $1 AND t.tool_id = ANY($2::uuid[])`,
    [hostId, toolIds],
  );
}

/** The workflow that is the skill's primary one, unless it is this one. */
export async function primaryHolderOf(
  sql: Sql,
  hostId: string,
  { skillId, wfDefId }: Pick<SkillWorkflow, 'skillId' | 'wfDefId'>,
): Promise<string | null> {
  const [row] = await sql.query<{ wf_def_id: string }>(
    `SELECT wf_def_id FROM skill_workflow_t
     WHERE host_id = $1 AND skill_id = $2 AND workflow_role = 'primary' AND active AND wf_def_id <> $3`,
    [hostId, skillId, wfDefId],
  );
  return row?.wf_def_id ?? null;
}

/** What the workflows of a skill call, each once whatever its roles; not of those that leave it in the same write. */
export async function workflowsOfSkill(
  sql: Sql,
  hostId: string,
  skillId: string,
  leaving: readonly string[] = [],
): Promise<readonly { readonly workflow: string; readonly toolCalls: readonly ToolCall[] }[]> {
  return sql.query(
    `SELECT w.namespace || '/' || w.name AS workflow, w.tool_calls AS "toolCalls" FROM workflow_read w
     WHERE w.host_id = $1 AND w.wf_def_id IN (
       SELECT wf_def_id FROM skill_workflow_t WHERE host_id = $1 AND skill_id = $2 AND active)
       AND w.wf_def_id <> ALL($3::uuid[])
     ORDER BY 1, w.wf_def_id`,
    [hostId, skillId, leaving],
  );
}

/** The skills that have one of the workflows, a row for each role. */
export async function skillsWithWorkflows(
  sql: Sql,
  hostId: string,
  wfDefIds: readonly string[],
): Promise<readonly SkillWorkflow[]> {
  return sql.query(
    `SELECT skill_id AS "skillId", wf_def_id AS "wfDefId", workflow_role AS "workflowRole" FROM skill_workflow_t
     WHERE host_id = $1 AND wf_def_id = ANY($2::uuid[]) AND active ORDER BY skill_id, wf_def_id, workflow_role`,
    [hostId, wfDefIds],
  );
}
