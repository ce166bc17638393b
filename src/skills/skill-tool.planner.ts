import type { Command } from '../eventsourcing/command.js';
import { NotFound } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { covers, type Caller } from '../platform/auth/caller.js';
import { requireScope } from '../platform/auth/claims.js';
import { loosensLimit } from '../platform/auth/sensitivity-tier.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { toolFactsOf, type ToolFacts } from '../tools/tool.lookup.js';
import { leastAccessLevel } from './access-level.js';
import { LinkTool, skillToolId, UnlinkTool } from './skill-tool.commands.js';
import { linkStandingsOf, type LinkStanding } from './skill-tool.lookup.js';
import { refuseUnsafe } from './skill-safety.js';
import type { LinkBody } from './skill-tool.schemas.js';
import { callableToolsOf, workflowsOfSkill } from './skill-workflow.lookup.js';
import { requireSkill } from './skills.filter.js';
import { needsOf } from './workflow-tools.js';

/** Who asks for links, and of which skill. */
export interface LinksRequest {
  readonly caller: Caller;
  readonly visibility: Visibility;
  readonly skillId: string;
}

/** Who asks for a link, and which one. */
export interface LinkRequest extends LinksRequest {
  readonly toolId: string;
}

/** A link as it is to be. */
export interface WantedLink extends LinkBody {
  readonly toolId: string;
}

export async function planLink(sql: Sql, request: LinkRequest, body: LinkBody): Promise<Command[]> {
  await refuseUnsafe(body);
  await requireSkill(sql, request.visibility, request.skillId);
  return planLinks(sql, request, [{ ...body, toolId: request.toolId }]);
}

/**
 * Links of a skill that is there, or is made by the same write. Throws NotFound for a tool that does not exist or is
 * out of the token's reach.
 */
export async function planLinks(
  sql: Sql,
  request: LinksRequest,
  links: readonly WantedLink[],
): Promise<LinkTool[]> {
  const { caller, visibility, skillId } = request;
  const { hostId } = visibility;
  const ids = links.map(({ toolId }) => toolId);
  const tools = await toolFactsOf(sql, hostId, ids);
  const standings = await linkStandingsOf(sql, hostId, skillId, ids);
  return links.map(({ toolId, config, accessLevel }) => {
    const tool = reachable(request, toolId, tools.get(toolId));
    if (isLoosened(standings.get(toolId), config)) requireScope(caller, 'catalog:admin');
    const link = { skillId, toolId, config, accessLevel: accessLevel ?? leastAccessLevel(tool.safety) };
    return new LinkTool(hostId, skillToolId(skillId, toolId), link);
  });
}

export async function planUnlink(sql: Sql, request: LinkRequest): Promise<Command[]> {
  const { skillId, toolId, visibility } = request;
  await requireSkill(sql, visibility, skillId);
  reachable(request, toolId, (await toolFactsOf(sql, visibility.hostId, [toolId])).get(toolId));
  return planUnlinks(sql, { hostId: visibility.hostId, skillId }, [toolId]);
}

/**
 * Takes several tools away, which the skill's workflows must not need, those that are `leaving` it with them aside. That
 * they are in reach is known.
 */
export async function planUnlinks(
  sql: Sql,
  { hostId, skillId }: { readonly hostId: string; readonly skillId: string },
  toolIds: readonly string[],
  leaving: readonly string[] = [],
): Promise<Command[]> {
  const workflows = toolIds.length === 0 ? [] : await workflowsOfSkill(sql, hostId, skillId, leaving);
  const all = workflows.length === 0 ? undefined : await callableToolsOf(sql, hostId, [skillId]);
  const tools = all?.get(skillId) ?? [];
  const staying = tools.filter((tool) => !toolIds.includes(tool.toolId));
  return toolIds.map((toolId) => {
    const leaving = tools.find((tool) => tool.toolId === toolId);
    const needs = leaving === undefined ? [] : needsOf(leaving, staying, workflows);
    return new UnlinkTool(hostId, skillToolId(skillId, toolId), { skillId, toolId, needs });
  });
}

/** Naming an approval workflow, and loosening the limit of the link, are the administrator's (contract 2). */
function isLoosened(standing: LinkStanding | undefined, config: LinkBody['config']): boolean {
  const { approvalWorkflow, maxSensitivityTier } = config;
  const approved = standing?.active ? standing.approvalWorkflow : null;
  const approves = approvalWorkflow !== undefined && approvalWorkflow !== approved;
  return approves || loosensLimit(standing?.maxSensitivityTier ?? undefined, maxSensitivityTier);
}

/** What the token does not reach answers like what does not exist. */
function reachable(
  { caller, visibility: { tiers, within } }: LinksRequest,
  toolId: string,
  tool: ToolFacts | undefined,
): ToolFacts {
  const isReached =
    tool !== undefined &&
    covers(caller, tool.serviceId, tool.envTag) &&
    (tiers === 'all' || tiers.includes(tool.tier)) &&
    (within === undefined || within.toolIds.includes(toolId));
  if (!isReached) throw new NotFound('tool', toolId);
  return tool;
}
