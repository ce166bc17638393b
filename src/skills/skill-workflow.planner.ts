import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { callsWithoutTool } from '../workflows/tool-calls.js';
import { workflowFactsOf } from '../workflows/workflow.lookup.js';
import { LinkWorkflow, skillWorkflowId, UnlinkWorkflow } from './skill-workflow.commands.js';
import type { SkillWorkflow } from './skill-workflow.events.js';
import { refuseUnsafe } from './skill-safety.js';
import { callableToolsOf, primaryHolderOf } from './skill-workflow.lookup.js';
import type { WorkflowLinkBody } from './skill-workflow.schemas.js';
import { requireSkill } from './skills.filter.js';

export async function planWorkflowLink(
  sql: Sql,
  visibility: Visibility,
  link: SkillWorkflow,
  { startMode, config }: WorkflowLinkBody,
): Promise<Command[]> {
  await refuseUnsafe({ config });
  const { hostId } = visibility;
  const { skillId, wfDefId } = link;
  await requireSkill(sql, visibility, skillId);
  const workflow = await workflowFactsOf(sql, visibility, wfDefId);
  if (workflow === undefined) throw new NotFound('workflow', wfDefId);
  const tools = (await callableToolsOf(sql, hostId, [skillId])).get(skillId) ?? [];
  const withoutTool = callsWithoutTool(workflow.toolCalls, tools);
  const primaryHeldBy = await primaryHolderOf(sql, hostId, link);
  return [
    new LinkWorkflow(hostId, skillWorkflowId(link), {
      ...link,
      startMode,
      config,
      withoutTool,
      primaryHeldBy,
    }),
  ];
}

export async function planWorkflowUnlink(
  sql: Sql,
  visibility: Visibility,
  link: SkillWorkflow,
): Promise<Command[]> {
  await requireSkill(sql, visibility, link.skillId);
  if ((await workflowFactsOf(sql, visibility, link.wfDefId)) === undefined) {
    throw new NotFound('workflow', link.wfDefId);
  }
  return [new UnlinkWorkflow(visibility.hostId, skillWorkflowId(link), link)];
}
