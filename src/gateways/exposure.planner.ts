import type { Command } from '../eventsourcing/command.js';
import { Invalid, RuleBroken, type Fault } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import { covers } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { toolFactsOf, type ToolFacts } from '../tools/tool.lookup.js';
import { exposureId, ExposeTool, WithdrawTool } from './exposure.commands.js';
import type { Exposure } from './exposure.events.js';
import { exposuresOf, type ExposureFacts } from './exposure.lookup.js';
import type { ExposureBody } from './exposure.schemas.js';
import { requireGateway } from './gateway.lookup.js';

/**
 * The selection of a gateway as it shall be: what is no longer named is taken off first. What the token does not cover
 * is neither exposed nor taken off.
 */
export async function planExposures(
  sql: Sql,
  visibility: Visibility,
  gatewayId: string,
  wanted: readonly ExposureBody[],
): Promise<Command[]> {
  const gateway = await requireGateway(sql, visibility, gatewayId);
  const { hostId } = visibility;
  const present = await exposuresOf(sql, hostId, gatewayId);
  const tools = await toolFactsOf(sql, hostId, [
    ...new Set([...wanted.map(({ toolId }) => toolId), ...present.keys()]),
  ]);
  const named = new Set(wanted.map(({ toolId }) => toolId));
  const [gone, staying] = partition([...present.values()], ({ toolId }) => {
    const tool = tools.get(toolId);
    return !named.has(toolId) && tool !== undefined && covered(visibility, tool);
  });
  refuseUnfit(visibility, gateway.envTag, wanted, tools);
  refuseNamesakes(wanted, tools, staying);
  return [
    ...gone.map(({ toolId }) => withdrawal(hostId, gatewayId, toolId)),
    ...wanted.map((exposure) => exposing(hostId, gatewayId, exposure)),
  ];
}

export function exposing(hostId: string, gatewayId: string, wanted: ExposureBody): ExposeTool {
  const { toolId, targetHost = null, protocol = null, runtime = {} } = wanted;
  const exposure: Exposure = { gatewayId, toolId, targetHost, protocol, runtime };
  return new ExposeTool(hostId, exposureId(gatewayId, toolId), exposure);
}

export function withdrawal(hostId: string, gatewayId: string, toolId: string): WithdrawTool {
  return new WithdrawTool(hostId, exposureId(gatewayId, toolId), { gatewayId, toolId });
}

function covered(visibility: Visibility, { serviceId, envTag }: ToolFacts): boolean {
  return covers(visibility, serviceId, envTag);
}

function refuseUnfit(
  visibility: Visibility,
  gatewayEnvironment: string,
  wanted: readonly ExposureBody[],
  tools: ReadonlyMap<string, ToolFacts>,
): void {
  const at = (index: number): string => `/tools/${String(index)}/toolId`;
  const unknown: Fault[] = [];
  const foreign: Fault[] = [];
  wanted.forEach(({ toolId }, index) => {
    const tool = tools.get(toolId);
    if (tool === undefined || !covered(visibility, tool)) {
      unknown.push({ pointer: at(index), detail: 'is no tool here, or the token does not cover it' });
    } else if (tool.envTag !== null && tool.envTag !== gatewayEnvironment) {
      foreign.push({ pointer: at(index), detail: `is a tool of the environment ${tool.envTag}` });
    }
  });
  if (unknown.length > 0) throw new RuleBroken('tool_not_found', 'Nothing was exposed: see errors.', unknown);
  if (foreign.length > 0) {
    const detail = `The gateway serves the environment ${gatewayEnvironment} alone. Nothing was exposed: see errors.`;
    throw new RuleBroken('environment_mismatch', detail, foreign);
  }
}

/** A gateway lists tools by name alone: one name, one tool. */
function refuseNamesakes(
  wanted: readonly ExposureBody[],
  tools: ReadonlyMap<string, ToolFacts>,
  staying: readonly ExposureFacts[],
): void {
  const holders = new Map(staying.map(({ name, toolId }) => [name, toolId]));
  const seen = new Set<string>();
  const repeated: Fault[] = [];
  const taken: Fault[] = [];
  wanted.forEach(({ toolId }, index) => {
    const pointer = `/tools/${String(index)}/toolId`;
    if (seen.has(toolId)) repeated.push({ pointer, detail: 'is named in this selection before' });
    seen.add(toolId);
    const name = tools.get(toolId)?.name ?? toolId;
    const holder = holders.get(name) ?? toolId;
    if (holder !== toolId) taken.push({ pointer, detail: `is called ${name}, as is the tool ${holder}` });
    holders.set(name, holder);
  });
  if (repeated.length > 0) throw new Invalid('invalid_body', 'Name each tool once.', repeated);
  if (taken.length > 0) {
    const detail = 'A gateway lists one tool under a name. Nothing was exposed: see errors.';
    throw new RuleBroken('exposure_name_taken', detail, taken);
  }
}

function partition<T>(items: readonly T[], fits: (item: T) => boolean): readonly [T[], T[]] {
  const yes: T[] = [];
  const no: T[] = [];
  for (const item of items) (fits(item) ? yes : no).push(item);
  return [yes, no];
}
