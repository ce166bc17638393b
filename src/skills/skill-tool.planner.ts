import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { covers, type Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { toolFactsOf, type ToolFacts } from '../tools/tool.lookup.js';
import { leastAccessLevel } from './access-level.js';
import { LinkTool, skillToolId, UnlinkTool } from './skill-tool.commands.js';
import { linkFactsOf, type LinkFacts } from './skill-tool.lookup.js';
import type { LinkBody } from './skill-tool.schemas.js';
import { refuseUnseen } from './skills.filter.js';

/** Who asks for a link, and which one. */
export interface LinkRequest {
  readonly caller: Caller;
  readonly visibility: Visibility;
  readonly skillId: string;
  readonly toolId: string;
}

export async function planLink(sql: Sql, request: LinkRequest, body: LinkBody): Promise<Command[]> {
  const { hostId } = request.visibility;
  const { skillId, toolId } = request;
  const { tool, approvalWorkflow } = await reachableFacts(sql, request);
  const { config, accessLevel = leastAccessLevel(tool.safety) } = body;
  if (config.approvalWorkflow !== undefined && config.approvalWorkflow !== approvalWorkflow) {
    requireScope(request.caller, 'catalog:admin');
  }
  const link = { skillId, toolId, accessLevel, config };
  return [new LinkTool(hostId, skillToolId(skillId, toolId), link)];
}

export async function planUnlink(sql: Sql, request: LinkRequest): Promise<Command[]> {
  const { skillId, toolId, visibility } = request;
  await reachableFacts(sql, request);
  return [new UnlinkTool(visibility.hostId, skillToolId(skillId, toolId), { skillId, toolId })];
}

/** Skill and tool must exist and be within reach of the token; what is not answers like what does not exist. */
async function reachableFacts(
  sql: Sql,
  request: LinkRequest,
): Promise<LinkFacts & { readonly tool: ToolFacts }> {
  const { skillId, toolId, visibility } = request;
  refuseUnseen(visibility, skillId);
  const facts = await linkFactsOf(sql, visibility.hostId, skillId, toolId);
  if (!facts.skillKnown) throw new NotFound('skill', skillId);
  const tool = (await toolFactsOf(sql, visibility.hostId, [toolId])).get(toolId);
  if (tool === undefined || !reaches(request, tool)) throw new NotFound('tool', toolId);
  return { ...facts, tool };
}

function reaches({ caller, visibility, toolId }: LinkRequest, tool: ToolFacts): boolean {
  const { tiers, within } = visibility;
  return (
    covers(caller, tool.serviceId, tool.envTag) &&
    (tiers === 'all' || tiers.includes(tool.tier)) &&
    (within === undefined || within.toolIds.includes(toolId))
  );
}
