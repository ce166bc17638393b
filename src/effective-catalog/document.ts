/**
 * The effective catalog of one agent, in the shape of docs/contract.md, section 7. Pure: the same rows, in whatever
 * order, give the same document. Members that are undefined are left out when it is written.
 */
import { byCodePoint } from '../documents/json.js';
import { cutRouting, lightApiTexts } from '../endpoints/shared.js';
import { tierOf } from '../platform/auth/sensitivity-tier.js';
import { columnOf } from '../platform/records/fields.js';
import type { SkillFields } from '../skills/shared.js';
import { approvalOf, groupedBy } from './disclosure/offers.js';
import {
  diagnosticsOf,
  isDisclosed,
  withheldOf,
  type Diagnostic,
  type JudgedOffer,
  type JudgedSkill,
  type Judgement,
  type References,
  type Withheld,
} from './disclosure/judgement.js';
import { numberIn, objectIn, objectsIn, textIn, textsIn } from './loose-json.js';
import {
  skillMembers,
  type AgentRow,
  type CatalogRows,
  type SkillRow,
  type TaxonomyRow,
  type ToolRow,
  type WorkflowRow,
} from './rows.js';

const formatVersion = '1.0';

/** What a request wants beyond the plain catalog. */
export interface Wanted {
  /** The withheld tools with their reasons, and the diagnostics. */
  readonly withheld: boolean;
  /** Example prompts of each tool. */
  readonly examples: boolean;
  /** Names of the context at hand. */
  readonly context?: readonly string[] | undefined;
}

export interface CatalogDocument {
  /** All that the hash covers. */
  readonly content: CatalogContent;
  /** The same, with example prompts where these are wanted. */
  readonly shown: CatalogContent;
  /** What else is wanted. */
  readonly beside: { readonly withheld?: readonly Withheld[]; readonly diagnostics?: readonly Diagnostic[] };
}

export type CatalogContent = ReturnType<typeof contentOf>;
/** A skill as the agent is given it. */
export type CatalogSkill = CatalogContent['skills'][number];

export function documentOf(
  rows: CatalogRows,
  judged: Judgement,
  { withheld, examples }: Wanted,
): CatalogDocument {
  const content = contentOf(rows, judged, false);
  return {
    content,
    shown: examples ? contentOf(rows, judged, true) : content,
    beside: withheld ? { withheld: withheldOf(judged), diagnostics: diagnosticsOf(judged) } : {},
  };
}

function contentOf(rows: CatalogRows, judged: Judgement, examples: boolean) {
  const given = judged.skills.filter(({ objection }) => objection === undefined);
  const known: Known = {
    examples,
    approvals: judged.context.approvals,
    references: judged.references,
    taxonomies: new Map(rows.taxonomies.map((taxonomy) => [taxonomy.entity_id, taxonomy])),
    workflows: workflowsOf(rows),
    dependsOn: dependsOnOf(rows, new Set(given.map(({ skill }) => skill.skill_id))),
  };
  return {
    formatVersion,
    hostId: rows.hostId,
    agentDefId: rows.agent.agent_def_id,
    serviceId: rows.agent.service_id,
    envTag: rows.agent.env_tag,
    agent: agentOf(rows.agent),
    skills: given.map((skill) => skillOf(skill, known)),
  };
}

/** Facts that skills and tools show of other records: only of those in the same catalog. */
interface Known {
  readonly examples: boolean;
  /** Ids and names of published workflows. */
  readonly approvals: ReadonlySet<string>;
  readonly references: References;
  /** By skill and by tool. */
  readonly taxonomies: ReadonlyMap<string, TaxonomyRow>;
  /** By skill. */
  readonly workflows: ReadonlyMap<string, readonly SkillWorkflow[]>;
  /** By skill: the skills that it builds on. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
}

type SkillWorkflow = ReturnType<typeof workflowOf>;

/** By skill; by role, then name, then id. */
function workflowsOf({ workflows }: CatalogRows): ReadonlyMap<string, readonly SkillWorkflow[]> {
  const sorted = [...workflows].sort(
    (a, b) =>
      byCodePoint(a.workflow_role, b.workflow_role) ||
      byCodePoint(a.namespace, b.namespace) ||
      byCodePoint(a.name, b.name) ||
      byCodePoint(a.wf_def_id, b.wf_def_id),
  );
  const bySkill = groupedBy(sorted, ({ skill_id }) => skill_id);
  return new Map([...bySkill].map(([skillId, rows]) => [skillId, rows.map(workflowOf)]));
}

function workflowOf(row: WorkflowRow) {
  return {
    wfDefId: row.wf_def_id,
    namespace: row.namespace,
    name: row.name,
    version: row.version,
    workflowRole: row.workflow_role,
    startMode: row.start_mode,
    config: row.config,
  };
}

/** Dependencies, required or not, cut to the skills that are given; by id. */
function dependsOnOf(
  { dependencies }: CatalogRows,
  given: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const known = dependencies.filter(({ depends_on_skill_id }) => given.has(depends_on_skill_id));
  const bySkill = groupedBy(known, ({ skill_id }) => skill_id);
  return new Map(
    [...bySkill].map(([skillId, rows]) => [
      skillId,
      rows.map(({ depends_on_skill_id }) => depends_on_skill_id).sort(byCodePoint),
    ]),
  );
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

function skillOf({ assignment, skill, offers }: JudgedSkill, known: Known) {
  return {
    skillId: skill.skill_id,
    ...shownOf(skill),
    priority: assignment.priority,
    sequenceId: assignment.sequence_id,
    config: assignment.config,
    ...taxonomyOf(skill.skill_id, known),
    dependsOn: known.dependsOn.get(skill.skill_id) ?? [],
    workflows: known.workflows.get(skill.skill_id) ?? [],
    tools: offers.filter(isDisclosed).map((offer) => toolOf(offer, known)),
  };
}

function shownOf(skill: SkillRow): Pick<SkillFields, (typeof skillMembers)[number]> {
  const columns: Readonly<Record<string, unknown>> = skill;
  const members = skillMembers.map((name) => [name, columns[columnOf(name)]] as const);
  return Object.fromEntries(members) as ReturnType<typeof shownOf>;
}

function toolOf(offer: JudgedOffer, known: Known) {
  const { tool, endpoint, link } = offer;
  // Within a skill the link's description goes before the tool's, which goes before that of the endpoint's document.
  const description = textIn(link.config, 'description') ?? tool.description;
  return {
    toolId: tool.tool_id,
    endpointId: endpoint?.endpoint_id,
    name: tool.name,
    description,
    version: tool.version,
    deprecation: tool.deprecation ?? undefined,
    endpoint: endpoint?.endpoint,
    endpointName: endpoint?.endpoint_name,
    endpointDescription: endpoint && description,
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
    ...taxonomyOf(tool.tool_id, known),
    inputSchema: tool.input_schema,
    outputSchema: tool.response_schema ?? endpoint?.response_schema ?? undefined,
    params: tool.params,
    routingMetadata: routingOf(tool, (key) => known.references(key, endpoint?.api_version_id)),
    safety: safetyOf(tool, known),
    examplePrompts: known.examples ? examplePromptsOf(offer) : undefined,
  };
}

function taxonomyOf(id: string, { taxonomies }: Known) {
  const { tags = [], categories = [] } = taxonomies.get(id) ?? {};
  return { tags, categories };
}

/** Routing metadata, null where nobody has given it; references to endpoints are cut to those that the same catalog discloses. */
function routingOf(tool: ToolRow, isGivenKey: (key: string) => boolean) {
  const { routing = {} } = tool.tool_metadata;
  const { dependencies, fallbackEndpoint } = routing;
  const cut = cutRouting({ dependencies, fallbackEndpoint }, isGivenKey);
  const needs = objectIn(routing, 'contextRequirements');
  return {
    domain: tool.routing_domain,
    semanticNamespace: tool.semantic_namespace,
    category: textIn(routing, 'category') ?? null,
    semanticDescription: textIn(routing, 'semanticDescription') ?? null,
    semanticKeywords: textsIn(routing, 'semanticKeywords'),
    targetPersonas: tool.target_personas,
    sensitivityTier: tool.sensitivity_tier,
    semanticWeight: numberIn(routing, 'semanticWeight') ?? 1,
    contextRequirements: {
      requiredInputs: textsIn(needs, 'requiredInputs'),
      requiredContext: textsIn(needs, 'requiredContext'),
    },
    dependencies: objectsIn(cut, 'dependencies').map((to) => ({
      endpoint: textIn(to, 'endpoint'),
      relation: textIn(to, 'relation'),
    })),
    fallbackEndpoint: textIn(cut, 'fallbackEndpoint') ?? null,
  };
}

/** Safety flags; an approval workflow is named only where it approves, since readers of the catalog can't look it up. */
function safetyOf(tool: ToolRow, { approvals }: Known) {
  const { readOnly, idempotent, destructive, humanApprovalRequired } = tool.tool_metadata.safety ?? {};
  return {
    readOnly: readOnly ?? false,
    idempotent: idempotent ?? false,
    destructive: destructive ?? false,
    humanApprovalRequired: humanApprovalRequired ?? false,
    approvalWorkflow: approvalOf(tool, approvals),
  };
}

/** Of one tool (docs/contract.md, section 5). */
const MAX_PROMPTS = 200;
const MAX_PROMPT_LENGTH = 500;

/** The examples of the link; where it has none, those of operators first, then those of LightAPI. */
function examplePromptsOf({ tool, endpoint, link }: JudgedOffer): readonly string[] {
  const prompts =
    'examples' in link.config
      ? textsIn(link.config, 'examples')
      : [
          ...tool.example_prompts,
          ...(tool.document_prompts ?? lightApiTexts(endpoint?.lightapi).prompts).filter(
            ({ length }) => length <= MAX_PROMPT_LENGTH,
          ),
        ];
  return [...new Set(prompts)].slice(0, MAX_PROMPTS);
}
