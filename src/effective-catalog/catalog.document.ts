/**
 * The effective catalog of one agent, in the shape of contract 7. Pure: the same rows, in whatever order, give
 * the same document. Members that are undefined are left out when it is written.
 */
import { tierOf } from '../platform/auth/sensitivity-tier.js';
import { willBeBlockedByGateway } from './approval.policy.js';
import type { AgentRow, CatalogRows } from './catalog.rows.js';
import type { JudgedOffer, OfferedSkill } from './catalog.offers.js';
import { isGiven, offersOf } from './catalog.offers.js';
import { numberIn, objectIn, objectsIn, textIn, textsIn } from './loose-json.js';
import type { Terms } from './disclosure.policy.js';

export const formatVersion = '1.0';

/** All that the hash covers. */
export type CatalogContent = ReturnType<typeof contentOf>;

export interface Catalog {
  readonly content: CatalogContent;
  readonly withheld: readonly WithheldTool[];
  readonly diagnostics: readonly Diagnostic[];
  /** By tool id; of disclosed tools only. */
  readonly examplePrompts: ReadonlyMap<string, readonly string[]>;
}

export interface WithheldTool {
  readonly skillId: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly reason: string;
  readonly detail: string;
}

export interface Diagnostic {
  readonly toolId: string;
  readonly toolName: string;
  readonly code: 'gateway_will_block';
}

export function catalogOf(rows: CatalogRows, terms: Terms): Catalog {
  const offered = offersOf(rows, terms);
  const offers = offered.flatMap((skill) => skill.offers);
  const disclosed = offers.filter(({ objection }) => objection === undefined);
  return {
    content: contentOf(rows, offered, disclosed),
    withheld: offers.flatMap(withheldOf),
    diagnostics: diagnosticsOf(disclosed, terms),
    examplePrompts: new Map(disclosed.map(({ tool }) => [tool.tool_id, tool.example_prompts])),
  };
}

function contentOf(rows: CatalogRows, offered: readonly OfferedSkill[], disclosed: readonly JudgedOffer[]) {
  const known = new Set(disclosed.flatMap(({ endpoint }) => endpoint?.endpoint ?? []));
  return {
    formatVersion,
    hostId: rows.hostId,
    agentDefId: rows.agent.agent_def_id,
    serviceId: rows.agent.service_id,
    envTag: rows.agent.env_tag,
    agent: agentOf(rows.agent),
    skills: offered.filter(isGiven).map((skill) => skillOf(skill, known)),
  };
}

function agentOf(agent: AgentRow) {
  return {
    name: agent.name,
    apiVersion: agent.api_version,
    personas: agent.personas,
    maxSensitivityTier: tierOf(agent.max_sensitivity_tier),
    modelProvider: agent.model_provider ?? undefined,
    modelName: agent.model_name ?? undefined,
  };
}

function skillOf({ assignment, skill, offers }: OfferedSkill, known: ReadonlySet<string>) {
  return {
    skillId: skill.skill_id,
    name: skill.name,
    description: skill.description ?? '',
    contentMarkdown: skill.content_markdown,
    version: skill.version,
    priority: assignment.priority,
    sequenceId: assignment.sequence_id,
    config: assignment.config,
    tags: [] as readonly string[],
    categories: [] as readonly string[],
    dependsOn: [] as readonly string[],
    workflows: [] as readonly object[],
    tools: offers.filter(({ objection }) => objection === undefined).map((offer) => toolOf(offer, known)),
  };
}

function toolOf({ tool, endpoint, link }: JudgedOffer, known: ReadonlySet<string>) {
  return {
    toolId: tool.tool_id,
    endpointId: endpoint?.endpoint_id,
    name: tool.name,
    description: tool.description,
    version: tool.version,
    endpoint: endpoint?.endpoint,
    endpointName: endpoint?.endpoint_name,
    endpointDescription: endpoint?.endpoint_desc,
    method: endpoint?.http_method,
    path: endpoint?.endpoint_path,
    apiId: endpoint?.api_id,
    apiVersionId: endpoint?.api_version_id,
    apiType: endpoint?.api_type,
    sourceProtocol: tool.source_protocol ?? undefined,
    implementationType: tool.implementation_type,
    capabilityRef: tool.capability_ref ?? undefined,
    lifecycleStatus: tool.lifecycle_status,
    accessLevel: link.access_level,
    config: link.config,
    tags: [] as readonly string[],
    categories: [] as readonly string[],
    inputSchema: tool.input_schema,
    outputSchema: (endpoint ?? tool).response_schema ?? undefined,
    params: tool.params,
    routingMetadata: routingOf(tool, known),
    safety: safetyOf(tool),
  };
}

/** References to endpoints are cut to those that the same catalog discloses. */
function routingOf(tool: JudgedOffer['tool'], known: ReadonlySet<string>) {
  const { routing } = tool.tool_metadata;
  const needs = objectIn(routing, 'contextRequirements');
  const isKnown = (endpoint: string | undefined) => endpoint !== undefined && known.has(endpoint);
  const fallback = textIn(routing, 'fallbackEndpoint');
  return {
    domain: tool.routing_domain ?? undefined,
    semanticNamespace: tool.semantic_namespace ?? undefined,
    category: textIn(routing, 'category'),
    semanticDescription: textIn(routing, 'semanticDescription'),
    semanticKeywords: textsIn(routing, 'semanticKeywords'),
    targetPersonas: tool.target_personas,
    sensitivityTier: tool.sensitivity_tier,
    semanticWeight: numberIn(routing, 'semanticWeight') ?? 1,
    contextRequirements: {
      requiredInputs: textsIn(needs, 'requiredInputs'),
      requiredContext: textsIn(needs, 'requiredContext'),
    },
    dependencies: objectsIn(routing, 'dependencies')
      .map((to) => ({ endpoint: textIn(to, 'endpoint'), relation: textIn(to, 'relation') }))
      .filter(({ endpoint }) => isKnown(endpoint)),
    fallbackEndpoint: isKnown(fallback) ? fallback : undefined,
  };
}

function safetyOf(tool: JudgedOffer['tool']) {
  const { readOnly, idempotent, destructive, humanApprovalRequired, approvalWorkflow } =
    tool.tool_metadata.safety ?? {};
  return {
    readOnly: readOnly ?? false,
    idempotent: idempotent ?? false,
    destructive: destructive ?? false,
    humanApprovalRequired: humanApprovalRequired ?? false,
    approvalWorkflow,
  };
}

function withheldOf({ skill, tool, objection }: JudgedOffer): WithheldTool[] {
  if (objection === undefined) return [];
  return [{ skillId: skill.skill_id, toolId: tool.tool_id, toolName: tool.name, ...objection }];
}

function diagnosticsOf(disclosed: readonly JudgedOffer[], { approvals }: Terms): Diagnostic[] {
  const blocked = disclosed.filter(({ tool }) => willBeBlockedByGateway(tool, approvals));
  const tools = new Map(blocked.map(({ tool }) => [tool.tool_id, tool.name]));
  return [...tools].map(([toolId, toolName]) => ({ toolId, toolName, code: 'gateway_will_block' }));
}
