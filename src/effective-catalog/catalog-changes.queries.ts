import type { Sql } from '../eventsourcing/sql.js';
import { isUuid } from '../platform/validation/validator.js';

/**
 * Of the agents given, those that an id among these names is, or reaches over an assignment, a link, an endpoint, or an approval
 * by a workflow. Only where one of them is a workflow, tools and links are looked through for it.
 */
export async function agentsConcerned(
  sql: Sql,
  hostId: string,
  agentDefIds: readonly string[],
  names: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql.query<{ agentDefId: string }>(
    `WITH approvals AS MATERIALIZED (
       SELECT reference FROM workflow_approval_read WHERE host_id = $1::uuid AND wf_def_id = ANY ($3::uuid[])
     ), tools AS MATERIALIZED (
       SELECT tool_id FROM tool_read WHERE host_id = $1::uuid AND tool_id = ANY ($3::uuid[])
       UNION SELECT t.tool_id FROM tool_read t
         WHERE t.host_id = $1::uuid AND t.endpoint_id = ANY (ARRAY(
           SELECT endpoint_id FROM endpoint_read WHERE host_id = $1::uuid AND endpoint_id = ANY ($3::uuid[])
           UNION SELECT endpoint_id FROM endpoint_read WHERE host_id = $1::uuid AND api_version_id = ANY ($3::uuid[])))
       UNION SELECT tool_id FROM tool_read
         WHERE EXISTS (SELECT FROM approvals) AND host_id = $1::uuid
           AND tool_metadata #>> '{safety,approvalWorkflow}' = ANY (ARRAY(SELECT reference FROM approvals))
     ), skills AS MATERIALIZED (
       SELECT skill_id FROM skill_tool_read
         WHERE host_id = $1::uuid AND tool_id = ANY (ARRAY(SELECT tool_id FROM tools)) AND active
       UNION SELECT skill_id FROM skill_tool_read
         WHERE EXISTS (SELECT FROM approvals) AND host_id = $1::uuid AND active
           AND config ->> 'approvalWorkflow' = ANY (ARRAY(SELECT reference FROM approvals))
       UNION SELECT skill_id FROM skill_workflow_read WHERE host_id = $1::uuid AND wf_def_id = ANY ($3::uuid[])
       UNION SELECT unnest($3::uuid[])
     )
     SELECT DISTINCT agent_def_id AS "agentDefId" FROM agent_skill_read
       WHERE host_id = $1::uuid AND agent_def_id = ANY ($2::uuid[])
         AND skill_id = ANY (ARRAY(SELECT skill_id FROM skills)) AND active
     UNION SELECT agent FROM unnest($2::uuid[]) AS agent WHERE agent = ANY ($3::uuid[])`,
    [hostId, agentDefIds, names.filter(isUuid)],
  );
  return rows.map(({ agentDefId }) => agentDefId);
}
