import {
  ActivateEndpoint,
  ImportEndpoint,
  type KnownEndpoint,
  VanishEndpoint,
} from '../../endpoints/shared.js';
import { canonicalJson, sha256Hex } from '../../kernel/canonical-json.js';
import type { Command } from '../../kernel/command.js';
import { RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { EndpointFacts } from '../../formats/shared.js';
import { planActivation } from '../../tools/public.js';
import { DeactivateTool } from '../../tools/shared.js';
import { currentFindings } from './current-findings.js';
import { exposedElsewhere, exposing, formerExposure, toolExposure } from '../exposure.link.js';
import { type AcceptanceRequest, type NewTools, planNewTools, refuseInactive } from './new-tools.planner.js';
import type { CatalogTool, DriftFinding, DriftItem, LiveTool } from './drift.js';
import type { Drift } from './drift.lookup.js';

export interface PlannedAcceptance extends Omit<NewTools, 'imported'> {
  readonly accepted: readonly AcceptedItem[];
}

interface AcceptedItem {
  readonly item: DriftItem;
  /** The aggregate that the acceptance changes: the endpoint whose layer is written, or the exposure that begins or ends. */
  readonly writes: string;
  /** Id of a new tool. */
  readonly toolId?: string;
  readonly endpointId?: string;
}

/** Accepts findings (docs/contract.md, section 9), all or none. Only the gateway's layer of an endpoint is written. */
export async function planAcceptance(
  sql: Sql,
  request: AcceptanceRequest,
  drift: Drift,
): Promise<PlannedAcceptance> {
  // Of equal findings the first counts.
  const found = currentFindings(request.findings, drift.items).flatMap(([first]) => first ?? []);
  const accepted = [...new Set(found)];
  const live = new Map(drift.live.map((tool) => [tool.name, tool]));
  const exposed = new Map(drift.exposed.map((tool) => [tool.toolId, tool]));
  const of = (finding: DriftItem['finding']): DriftItem[] =>
    accepted.filter((item) => item.finding === finding);
  const missing = of('missing_from_gateway').flatMap(({ toolId = '' }) => exposed.get(toolId) ?? []);
  const returning = of('inactive_in_catalog').flatMap(({ toolName }) => live.get(toolName) ?? []);
  const fresh = of('not_in_catalog').flatMap(({ toolName }) => live.get(toolName) ?? []);
  const commands = [
    ...(await planMissing(sql, request, missing)),
    ...planChanges(request, accepted, live),
    ...(await planReturning(sql, request, returning)),
  ];
  const { imported, conflicts, commands: additions } = await planNewTools(sql, request, fresh);
  const made = new Map(imported.map(({ toolName, ...ids }) => [toolName, ids]));
  return {
    commands: [...commands, ...additions],
    conflicts,
    accepted: accepted.map((item) => {
      const { toolName, finding, toolId = '' } = item;
      const ids = finding === 'not_in_catalog' ? made.get(toolName) : undefined;
      const endpointId = isChange(finding) ? live.get(toolName)?.known?.endpointId : ids?.endpointId;
      return {
        item,
        ...ids,
        writes: endpointId ?? toolExposure.id({ gatewayId: request.gateway.gatewayId, toolId }),
      };
    }),
  };
}

/** The exposure ends; where no source and no other gateway has the tool, it ends with it. */
async function planMissing(
  sql: Sql,
  { importer, gateway }: AcceptanceRequest,
  missing: readonly CatalogTool[],
): Promise<Command[]> {
  const { hostId } = importer.visibility;
  const { gatewayId } = gateway;
  const ids = missing.map(({ toolId }) => toolId);
  const elsewhere = await exposedElsewhere(sql, hostId, gatewayId, ids);
  return missing.flatMap(({ toolId, endpointId, known }) => {
    const alone =
      known?.layers.gateway !== undefined && known.layers.source === undefined && !elsewhere.has(toolId);
    const end = toolExposure.remove(hostId, { gatewayId, toolId }, undefined);
    if (!alone || endpointId === null) return [end];
    return [
      end,
      new VanishEndpoint(hostId, endpointId, { layer: 'gateway' }),
      new DeactivateTool(hostId, toolId, { reason: 'operator' }),
    ];
  });
}

function planChanges(
  { importer }: AcceptanceRequest,
  accepted: readonly DriftItem[],
  live: ReadonlyMap<string, LiveTool>,
): Command[] {
  const layers = new Map<string, { readonly tool: Sourced; readonly facts: EndpointFacts }>();
  for (const { toolName, finding } of accepted) {
    const listed = live.get(toolName);
    if (listed?.known === undefined || !isChange(finding)) continue;
    const tool = sourced(listed.known);
    const before = layers.get(tool.endpointId)?.facts ?? tool.accepted ?? {};
    const decisive = tool.known.layers.source === undefined;
    layers.set(tool.endpointId, { tool, facts: withAccepted(before, listed.facts, finding, decisive) });
  }
  return [...layers.values()].map(({ tool, facts }) => saying(importer.visibility.hostId, tool, facts));
}

/** The same tool, the same endpoint, and the exposure as it was. */
async function planReturning(
  sql: Sql,
  { importer, gateway }: AcceptanceRequest,
  returning: readonly LiveTool[],
): Promise<Command[]> {
  const { visibility } = importer;
  const { hostId } = visibility;
  const commands: Command[] = [];
  await refuseInactive(
    sql,
    hostId,
    returning.flatMap(({ known }) => known?.known ?? []),
  );
  for (const { facts, known: tool } of returning) {
    if (tool === undefined) continue;
    if (tool.retired) throw retired(tool);
    if (tool.known !== undefined && !tool.active)
      commands.push(...endpointReturns(hostId, sourced(tool), facts));
    if (!tool.ownActive) commands.push(...(await planActivation(sql, visibility, tool.toolId)));
    const former = await formerExposure(sql, hostId, gateway.gatewayId, tool.toolId);
    commands.push(exposing(hostId, gateway.gatewayId, { toolId: tool.toolId, ...former }));
  }
  return commands;
}

function retired({ name }: CatalogTool): RuleBroken {
  const detail = `${name} is retired: to bring it back, give it another lifecycle status first.`;
  return new RuleBroken('tool_retired', detail);
}

function endpointReturns(hostId: string, tool: Sourced, facts: EndpointFacts): Command[] {
  const { known, endpointId, name } = tool;
  if (known.layers.source !== undefined && known.missing.includes('source')) {
    const detail = `The source of ${name} no longer holds it: what the gateway lists can’t bring it back. Import the source again.`;
    throw new RuleBroken('source_vanished', detail);
  }
  const back = known.missing.includes('gateway') && known.layers.source === undefined;
  return [
    ...(back ? [saying(hostId, tool, facts)] : []),
    ...(known.deactivated ? [new ActivateEndpoint(hostId, endpointId, {})] : []),
  ];
}

type Sourced = CatalogTool & { readonly endpointId: string; readonly known: KnownEndpoint };

function sourced(tool: CatalogTool): Sourced {
  const { endpointId, known } = tool;
  if (endpointId !== null && known !== undefined) return { ...tool, endpointId, known };
  const detail = `${tool.name} has no endpoint that could take what the gateway lists. Change the tool itself.`;
  throw new RuleBroken('tool_without_endpoint', detail);
}

function saying(hostId: string, { endpointId, known }: Sourced, facts: EndpointFacts): ImportEndpoint {
  const { apiId, apiVersionId, serviceId, envTag, endpoint } = known;
  const identity = { apiId, apiVersionId, serviceId, envTag, endpoint };
  const digest = sha256Hex(canonicalJson(facts));
  // Findings are accepted by administrators alone, who were shown before and after.
  const said = { ...identity, layer: 'gateway', digest, facts, mayLoosen: true, seen: true } as const;
  return new ImportEndpoint(hostId, endpointId, said, false);
}

/** Findings that change what the gateway's layer says. */
const changedFindings = ['schema_changed', 'description_changed', 'annotations_changed'] as const;
type ChangedFinding = (typeof changedFindings)[number];

function isChange(finding: DriftFinding): finding is ChangedFinding {
  return changedFindings.some((each) => each === finding);
}

/**
 * The gateway's layer of an endpoint with those parts of what it lists now that were accepted; all else stays as it was
 * accepted before. `decisive`: no source says how the endpoint is called, so the layer does.
 */
function withAccepted(
  layer: EndpointFacts,
  listed: EndpointFacts,
  finding: ChangedFinding,
  decisive: boolean,
): EndpointFacts {
  switch (finding) {
    case 'schema_changed': {
      const { parameters } = listed.routing ?? {};
      const routing = decisive && parameters !== undefined ? { ...layer.routing, parameters } : layer.routing;
      const { inputSchema, outputSchema } = listed;
      return said({ ...layer, inputSchema, outputSchema, routing });
    }
    case 'description_changed':
      return said({ ...layer, description: listed.description, title: listed.title });
    case 'annotations_changed': {
      const { annotations: _, ...others } = layer.extras ?? {};
      const annotations = listed.extras?.['annotations'];
      const extras = { ...others, ...(annotations !== undefined && { annotations }) };
      return said({
        ...layer,
        safety: listed.safety,
        extras: Object.keys(extras).length === 0 ? undefined : extras,
      });
    }
  }
}

/** Leaves out undefined members. */
function said(facts: {
  readonly [Name in keyof EndpointFacts]: EndpointFacts[Name] | undefined;
}): EndpointFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
