import { NotFound, RuleBroken } from '../../kernel/errors.js';
import type { Projection, Reaction, UniqueRules } from '../../kernel/slice.js';
import type { Sql } from '../../kernel/sql.js';
import { isNarrowed } from '../../platform/auth/visibility.js';
import type { Caller } from '../../platform/auth/caller.js';
import { refuseLessGuarded } from '../../platform/auth/claims.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { field, idField, type Given, type Values } from '../../platform/records/fields.js';
import { link } from '../../platform/records/link.js';
import { LinkReads, linkRoutes, type LinkView } from '../../platform/records/link-routes.js';
import { handle, UseCase, type Writer } from '../../platform/use-cases/use-case.js';
import { newlyAddressesModel } from '../../platform/validation/untrusted-text.js';
import {
  type CallableTool,
  callsWithoutTool,
  lifecycleStatuses,
  type ToolCall,
} from '../../workflows/shared.js';
import { toolCallsAfter, workflowFactsOf } from '../../workflows/public.js';
import { refuseUnsafe } from '../skill-safety.js';
import {
  findingsOf,
  refuseCallsWithoutTool,
  skillWorkflowFields,
  workflowRole,
  workflowRoles,
} from './skill-workflow.rules.js';
import { skillWorkflowExample, workflowLinkReceipt } from '../skill.examples.js';
import { requireSkill } from '../skill.lookup.js';

const ends = {
  skillId: idField,
  wfDefId: idField,
  workflowRole: field({ sql: 'text', shown: workflowRole, stored: { enum: workflowRoles } }),
};

/** One workflow in one role for one skill. */
export type SkillWorkflow = Values<typeof ends>;

/** Facts for the rule of a link. */
interface WorkflowLinkFacts {
  readonly caller: Caller;
  /** Calls of the workflow that name no tool of the skill, and are not marked as future or external. */
  readonly withoutTool: readonly ToolCall[];
  /** The other workflow that is the skill's primary one. */
  readonly primaryHeldBy: string | null;
}

/** A workflow that a skill has. */
export const skillWorkflow = link(
  { name: 'SkillWorkflow', table: 'skill_workflow_t', ends, fields: skillWorkflowFields },
  {
    put({ skillId, workflowRole: role, config }, current, facts: WorkflowLinkFacts) {
      const { caller, withoutTool, primaryHeldBy } = facts;
      // Agents are given the config with the skill.
      refuseLessGuarded(caller, newlyAddressesModel(current?.config, config));
      refuseCallsWithoutTool(skillId, withoutTool);
      if (current !== null || role !== 'primary' || primaryHeldBy === null) return;
      const detail = `The skill's primary workflow is ${primaryHeldBy}. Take that one away first, or give another role.`;
      throw new RuleBroken('primary_workflow_taken', detail);
    },
    missing: ({ skillId, wfDefId, workflowRole: role }) =>
      new NotFound(`${role} workflow of skill ${skillId}`, wfDefId),
  },
);

export const skillWorkflowProjection: Projection = {
  ...skillWorkflow.projection,
  apply(tx, events) {
    // Checks at the end of the batch, within which one primary workflow may follow another.
    if (events.length > 1) tx.send('SET CONSTRAINTS skill_workflow_primary_uk DEFERRED');
    return skillWorkflow.projection.apply(tx, events);
  },
};

/** Names the refusal of the table's constraint, which keeps the rule where writes race. */
export const skillWorkflowUniqueRules: UniqueRules = {
  skill_workflow_primary_uk: {
    code: 'primary_workflow_taken',
    detail: 'The skill has a primary workflow already. Take that one away first, or give another role.',
  },
};

/** Links a workflow to a skill, or sets start mode and config of the link that is there. */
export class PutSkillWorkflow extends UseCase<SkillWorkflow & Given<typeof skillWorkflowFields>> {}

export class RemoveSkillWorkflow extends UseCase<SkillWorkflow> {}

export const skillWorkflowHandlers = [
  handle(PutSkillWorkflow, {
    check: ({ config }, writer) => refuseUnsafe({ config }, writer),
    async load(sql, input, writer): Promise<WorkflowLinkFacts> {
      const { toolCalls } = await requireEnds(sql, input, writer);
      const { hostId } = writer.visibility;
      const tools = (await callableToolsOf(sql, hostId, [input.skillId])).get(input.skillId) ?? [];
      return {
        caller: writer.caller,
        withoutTool: callsWithoutTool(toolCalls, tools),
        primaryHeldBy: await primaryHolderOf(sql, hostId, input),
      };
    },
    decide: (facts, input, { visibility }) => [skillWorkflow.put(visibility.hostId, input, facts)],
  }),
  handle(RemoveSkillWorkflow, {
    load: requireEnds,
    decide: (_facts, input, { visibility }) => [skillWorkflow.remove(visibility.hostId, input, undefined)],
  }),
];

/** Loads the workflow. Throws NotFound for it and for the skill. */
async function requireEnds(sql: Sql, { skillId, wfDefId }: SkillWorkflow, { visibility }: Writer) {
  await requireSkill(sql, visibility, skillId);
  const workflow = await workflowFactsOf(sql, visibility, wfDefId);
  if (workflow === undefined) throw new NotFound('workflow', wfDefId);
  return workflow;
}

/** Refuses to save or publish a workflow that calls a tool which one of its skills lacks (docs/contract.md, section 6). */
export const recheckWorkflows: Reaction = {
  name: 'recheck-workflows',
  on: ['WorkflowDefinitionUpdatedEvent', 'WorkflowDefinitionPublishedEvent'],

  async react(changes, sql) {
    const [first] = changes;
    if (first === undefined) return [];
    const { hostId } = first.command;
    const changed = new Map(changes.map((change) => [change.id, change]));
    const links = await skillsWithWorkflows(sql, hostId, [...changed.keys()]);
    const tools = await callableToolsOf(sql, hostId, [...new Set(links.map(({ skillId }) => skillId))]);
    for (const { skillId, wfDefId } of links) {
      const cause = changed.get(wfDefId);
      if (cause === undefined) continue;
      refuseCallsWithoutTool(skillId, callsWithoutTool(toolCallsAfter(cause), tools.get(skillId) ?? []));
    }
    return [];
  },
};

const callable = `t.tool_id AS "toolId", t.name, t.capability_ref AS "capabilityRef", t.endpoint_id AS "endpointId",
            e.endpoint, t.active`;
const withEndpoint = 'LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id';

/** Loads the tools of each skill, active or not, which its workflows may call. */
export async function callableToolsOf(
  sql: Sql,
  hostId: string,
  skillIds: readonly string[],
): Promise<ReadonlyMap<string, readonly CallableTool[]>> {
  const rows = await sql.query<CallableTool & { readonly skillId: string }>(
    `SELECT l.skill_id AS "skillId", ${callable}
     FROM skill_tool_t l
     JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id ${withEndpoint}
     WHERE l.host_id = $1 AND l.skill_id = ANY($2::uuid[]) AND l.active`,
    [hostId, skillIds],
  );
  const tools = new Map<string, CallableTool[]>();
  for (const { skillId, ...tool } of rows) tools.set(skillId, [...(tools.get(skillId) ?? []), tool]);
  return tools;
}

/** Loads tools as workflows call them, linked or not. */
export async function callableTools(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
): Promise<readonly CallableTool[]> {
  return sql.query(
    `SELECT ${callable} FROM tool_read t ${withEndpoint}
     WHERE t.host_id = $1 AND t.tool_id = ANY($2::uuid[])`,
    [hostId, toolIds],
  );
}

/** Finds the skill's primary workflow, unless it is this one. */
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

/** Loads what the workflows of a skill call, each once whatever its roles, without those that the same write takes away. */
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

/** Finds the skills that have one of the workflows, a row for each role. */
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

/** Shows a token confined to an agent the workflows that its catalog names with the skill. */
const view: LinkView = {
  join: 'JOIN workflow_read w ON w.host_id = l.host_id AND w.wf_def_id = l.wf_def_id',
  select: `l.wf_def_id::text || '/' || l.workflow_role AS link_id, w.namespace, w.name, w.version,
           w.status AS lifecycle_status, w.active AS workflow_active, w.tool_calls`,
  shows: {
    namespace: { type: 'string' },
    name: { type: 'string' },
    version: { type: 'string' },
    lifecycleStatus: { type: 'string', enum: lifecycleStatuses },
    workflowActive: { type: 'boolean' },
    findings: {
      type: 'array',
      description: 'Why it can’t run as it is; empty for a token that does not see every tool.',
      items: {
        type: 'object',
        required: ['path', 'code', 'message'],
        properties: {
          path: { type: 'string', description: 'RFC 6901 pointer to the step; empty for the whole.' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
  },
  orderBy: 'name',
  id: 'link_id',
  requireParent: requireSkill,
  visible: (visibility, skillId) =>
    visibleRows(visibility, {
      limits: [],
      confined: ['wf_def_id', ({ links }) => links.get(skillId)?.workflowIds ?? []],
    }),
  async completing(sql, visibility, skillId) {
    if (isNarrowed(visibility)) return () => ({ findings: [] });
    const tools = (await callableToolsOf(sql, visibility.hostId, [skillId])).get(skillId) ?? [];
    return (row) => ({ findings: findingsOf(linkedWorkflow(row), tools) });
  },
};

/** Picks the columns that findings depend on. */
function linkedWorkflow(row: Readonly<Record<string, unknown>>): Parameters<typeof findingsOf>[0] {
  return {
    status: row['lifecycle_status'] as string,
    active: row['workflow_active'] as boolean,
    toolCalls: row['tool_calls'] as readonly ToolCall[],
  };
}

export const skillWorkflowReads = new LinkReads(skillWorkflow, view);

export const skillWorkflowRoutes = linkRoutes(skillWorkflowReads, {
  path: 'skills/:skillId/workflows',
  operations: { one: 'SkillWorkflow', many: 'SkillWorkflows' },
  list: {
    summary: 'List the workflows of a skill',
    description: 'Ordered by the name of the workflow, with what is found wrong with each.',
  },
  get: {
    summary: 'Get a workflow of a skill',
    description: '404 where there is no link, or where it was taken away.',
  },
  put: {
    useCase: PutSkillWorkflow,
    summary: 'Link a workflow to a skill',
    description:
      'Writes the whole link: 201 where it is new. Refused with `workflow_tool_not_linked` where a step calls a tool ' +
      'that the skill does not have, and with `primary_workflow_taken` where it has another primary workflow.',
  },
  delete: {
    useCase: RemoveSkillWorkflow,
    summary: 'Take a workflow from a skill',
  },
  example: {
    body: { startMode: 'agent', config: skillWorkflowExample.config },
    answer: skillWorkflowExample,
    receipt: workflowLinkReceipt,
  },
});
