import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { isNarrowed, type Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import { visibleRows } from '../platform/database/visible-rows.js';
import type { CallableTool } from '../workflows/tool-calls.js';
import type { LifecycleStatus, WorkflowWords } from '../workflows/workflow.events.js';
import type { SkillWorkflow } from './skill-workflow.events.js';
import { callableToolsOf } from './skill-workflow.lookup.js';
import type { SkillWorkflowAnswer, SkillWorkflowListQuery } from './skill-workflow.schemas.js';
import type { SkillWorkflowRow } from './skill-workflows.row.js';
import { requireSkill } from './skills.filter.js';
import { findingsOf } from './workflow-tools.js';

interface SkillWorkflowPage {
  readonly items: SkillWorkflowAnswer[];
  readonly nextCursor?: string;
}

/** Throws NotFound where there is no such skill. */
export class ListSkillWorkflows extends Query<SkillWorkflowPage> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
    readonly filter: SkillWorkflowListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetSkillWorkflow extends Query<SkillWorkflowAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly link: SkillWorkflow,
  ) {
    super();
  }
}

const linkedWorkflows = `(
  SELECT l.*, l.wf_def_id::text || '/' || l.workflow_role AS link_id, w.namespace, w.name, w.version, w.status,
         w.active AS workflow_active, w.tool_calls
  FROM skill_workflow_t l
  JOIN workflow_read w ON w.host_id = l.host_id AND w.wf_def_id = l.wf_def_id) AS linked`;
interface Row extends SkillWorkflowRow {
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly status: LifecycleStatus;
  readonly workflow_active: boolean;
  readonly tool_calls: WorkflowWords['toolCalls'];
}

@QueryHandler(ListSkillWorkflows)
export class ListSkillWorkflowsHandler implements IQueryHandler<ListSkillWorkflows> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, skillId, filter }: ListSkillWorkflows): Promise<SkillWorkflowPage> {
    const { active, limit, cursor } = filter;
    await requireSkill(this.database.of(visibility.hostId), visibility, skillId);
    const where = visibleLinks(visibility, skillId);
    if (active !== 'all') where.add('active = ?', active === 'true');
    const { rows, ...next } = await listPage<Row>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: linkedWorkflows, where, text: 'name', id: 'link_id' },
      ...{ limit, cursor },
    });
    const tools = await toolsFor(this.database, visibility, skillId);
    return { items: rows.map((row) => answerOf(row, tools)), ...next };
  }
}

@QueryHandler(GetSkillWorkflow)
export class GetSkillWorkflowHandler implements IQueryHandler<GetSkillWorkflow> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, link }: GetSkillWorkflow): Promise<SkillWorkflowAnswer> {
    const { skillId, wfDefId, workflowRole } = link;
    await requireSkill(this.database.of(visibility.hostId), visibility, skillId);
    const where = visibleLinks(visibility, skillId)
      .add('active')
      .add('wf_def_id = ?', wfDefId)
      .add('workflow_role = ?', workflowRole);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row>(`SELECT * FROM ${linkedWorkflows} ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound(`${workflowRole} workflow of skill ${skillId}`, wfDefId);
    return answerOf(row, await toolsFor(this.database, visibility, skillId));
  }
}

/** A token confined to an agent sees the workflows that its catalog names with the skill. */
function visibleLinks(visibility: Visibility, skillId: string): Conditions {
  return visibleRows(visibility, {
    limits: [],
    confined: ['wf_def_id', ({ links }) => links.get(skillId)?.workflowIds ?? []],
  }).add('skill_id = ?', skillId);
}

/** Undefined for a token that does not see every tool: what is found wrong would name them. */
async function toolsFor(
  database: Database,
  visibility: Visibility,
  skillId: string,
): Promise<readonly CallableTool[] | undefined> {
  if (isNarrowed(visibility)) return undefined;
  return (
    (await callableToolsOf(database.of(visibility.hostId), visibility.hostId, [skillId])).get(skillId) ?? []
  );
}

function answerOf(row: Row, tools: readonly CallableTool[] | undefined): SkillWorkflowAnswer {
  const { status, workflow_active: workflowActive, tool_calls: toolCalls } = row;
  return {
    skillId: row.skill_id,
    wfDefId: row.wf_def_id,
    workflowRole: row.workflow_role,
    namespace: row.namespace,
    name: row.name,
    version: row.version,
    lifecycleStatus: status,
    workflowActive,
    startMode: row.start_mode,
    config: row.config,
    findings:
      tools === undefined
        ? []
        : findingsOf({ status, active: workflowActive, toolCalls }, tools).map((finding) => ({ ...finding })),
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
