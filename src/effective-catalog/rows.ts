/**
 * The rows of which one agent's catalog is made, as the read views of the slices below give them. Links and assignments
 * are active ones; skills, tools and endpoints come active or not: the catalog says why they are withheld. Pure.
 */
import type { ChangeGrade } from '../endpoints/shared.js';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { SkillFields } from '../skills/shared.js';
import type { LooseJson } from './loose-json.js';

export interface CatalogRows {
  readonly hostId: string;
  readonly agent: AgentRow;
  readonly assignments: readonly AssignmentRow[];
  readonly skills: readonly SkillRow[];
  readonly links: readonly LinkRow[];
  readonly tools: readonly ToolRow[];
  /** Of links that keep to another version than the tool's newest. */
  readonly keptVersions: readonly KeptVersionRow[];
  readonly endpoints: readonly EndpointRow[];
  readonly dependencies: readonly DependencyRow[];
  /** Of skills and tools that were ever classified. */
  readonly taxonomies: readonly TaxonomyRow[];
  readonly workflows: readonly WorkflowRow[];
  /** Published, active workflows that links or tools name to approve calls. */
  readonly approvals: readonly ApprovalRow[];
  /** Tools that a gateway of the agent exposes. */
  readonly exposures: readonly ExposureRow[];
}

/**
 * The ids by which these rows were found. An event that names none of them, and does not affect everybody, changes
 * neither these rows nor which they are.
 */
export function idsOf({
  agent,
  assignments,
  links,
  tools,
  endpoints,
  keptVersions,
}: CatalogRows): ReadonlySet<string> {
  return new Set([
    agent.agent_def_id,
    ...assignments.map(({ skill_id }) => skill_id),
    ...links.map(({ tool_id }) => tool_id),
    ...tools.flatMap(({ endpoint_id, call_endpoints }) => [endpoint_id ?? [], call_endpoints].flat()),
    ...keptVersions.flatMap(({ content }) => content?.call?.endpointIds ?? []),
    ...endpoints.map(({ api_version_id }) => api_version_id),
  ]);
}

export interface AgentRow {
  readonly agent_def_id: string;
  readonly service_id: string;
  readonly env_tag: string;
  /** Display name: the API's. */
  readonly name: string;
  readonly api_version: string;
  readonly model_provider: string | null;
  readonly model_name: string | null;
  readonly personas: readonly string[];
  readonly max_sensitivity_tier: string | null;
  readonly domains: readonly string[];
  readonly semantic_namespaces: readonly string[];
  readonly gateway_ids: readonly string[];
  /** What of it is switched off; null where it is active. */
  readonly inactive_part: 'agent' | 'api_version' | 'api' | null;
  /** Whether gateways stand between the agent and its tools: its own, or those of its environment. */
  readonly gated: boolean;
}

/** An agent's skill. */
export interface AssignmentRow {
  readonly skill_id: string;
  /** Knows `maxSensitivityTier`, `domains`, `semanticNamespaces`. */
  readonly config: LooseJson;
  readonly priority: number;
  readonly sequence_id: number;
}

/** Fields of a skill that agents are given. */
export const skillMembers = [
  'name',
  'description',
  'contentMarkdown',
  'version',
] as const satisfies readonly (keyof SkillFields)[];

type Column<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Column<Rest>}`
  : '';

export type SkillRow = {
  readonly [Name in (typeof skillMembers)[number] as Column<Name>]: SkillFields[Name];
} & { readonly skill_id: string; readonly active: boolean };

/** A skill that an assigned skill depends on. */
export interface DependencyRow {
  readonly skill_id: string;
  readonly depends_on_skill_id: string;
  readonly required: boolean;
}

export interface TaxonomyRow {
  readonly entity_id: string;
  /** Names, by code point. */
  readonly categories: readonly string[];
  readonly tags: readonly string[];
}

/** A skill's workflow. */
export interface WorkflowRow {
  readonly skill_id: string;
  readonly wf_def_id: string;
  readonly namespace: string;
  readonly name: string;
  readonly version: string;
  readonly workflow_role: string;
  readonly start_mode: string;
  readonly config: LooseJson;
}

export interface ApprovalRow {
  readonly wf_def_id: string;
  readonly namespace: string;
  readonly name: string;
}

export interface ExposureRow {
  readonly tool_id: string;
}

/** A skill's tool. */
export interface LinkRow {
  readonly skill_id: string;
  readonly tool_id: string;
  readonly access_level: string;
  /** Knows `maxSensitivityTier`, `approvalWorkflow`, `description`, `examples`. */
  readonly config: LooseJson;
  /** Versions of the tool that it takes; null takes the newest. */
  readonly range: string | null;
}

/** The version of a tool to which a link keeps; its members are null where there is none that agents may be given. */
export interface KeptVersionRow {
  readonly skill_id: string;
  readonly tool_id: string;
  readonly version: string | null;
  readonly content: VersionContent | null;
  readonly deprecation: Deprecation | null;
  readonly call_fault: CallFault | null;
}

/** What a version of a tool is made of. Guards are the tool's, whatever version agents are given. */
export interface VersionContent {
  readonly description: string;
  readonly routing: LooseJson;
  readonly inputSchema: object;
  /** Left out while the endpoint's is the version's. */
  readonly outputSchema?: object;
  readonly params: readonly object[];
  readonly sourceProtocol: string | null;
  readonly capabilityRef: string | null;
  /** What a call carries out, where a spec says it. */
  readonly call?: { readonly endpointIds: readonly string[] };
}

export interface CallFault {
  readonly code: string;
  readonly details: readonly string[];
}

/** A day from which a version may go, and what to take instead. */
export interface Deprecation {
  readonly on: string;
  readonly message: string;
  /** The day has passed; left out where it has not. */
  readonly overdue?: true;
}

export interface ToolRow {
  readonly tool_id: string;
  /** Null for a script. */
  readonly endpoint_id: string | null;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly implementation_type: string;
  readonly capability_ref: string | null;
  readonly source_protocol: string | null;
  readonly routing_domain: string | null;
  readonly semantic_namespace: string | null;
  readonly sensitivity_tier: Tier;
  readonly lifecycle_status: string;
  readonly target_personas: readonly string[];
  readonly tool_metadata: ToolMetadata;
  readonly input_schema: object;
  /** A script's own; of any other tool that of its endpoint, where this is null. */
  readonly response_schema: object | null;
  /** In the shape in which the catalog gives them. */
  readonly params: readonly object[];
  readonly example_prompts: readonly string[];
  /** Those of the document that are approved, while newer ones wait; null: as the endpoint has them. */
  readonly document_prompts: readonly string[] | null;
  /** The grade of the change that waits to be accepted; null where there is none. */
  readonly change_grade: ChangeGrade | null;
  /** Whether its former version can't be called any more, while the change waits until somebody accepts it. */
  readonly quarantine: boolean;
  /** Whether a version may be given to agents: without, its texts and schemas are left out. */
  readonly approved: boolean;
  readonly deprecation: Deprecation | null;
  readonly active: boolean;
  /** Endpoints that the operation calls which its spec says. */
  readonly call_endpoints: readonly string[];
  /** Why that operation does not fit the schema of its API any more; null where it does. */
  readonly call_fault: CallFault | null;
}

/** `routing` comes from documents and operators, so its members are read with `loose-json.ts`. */
export interface ToolMetadata {
  readonly routing?: LooseJson;
  readonly safety?: SafetyMetadata;
}

export interface SafetyMetadata {
  readonly readOnly?: boolean;
  readonly idempotent?: boolean;
  readonly destructive?: boolean;
  readonly humanApprovalRequired?: boolean;
  readonly approvalWorkflow?: string;
}

export interface EndpointRow {
  readonly endpoint_id: string;
  readonly api_version_id: string;
  readonly api_id: string;
  readonly api_version: string;
  readonly api_type: string;
  /** The API version's; null where it serves every environment. */
  readonly env_tag: string | null;
  /** Endpoint key. */
  readonly endpoint: string;
  readonly http_method: string;
  readonly endpoint_path: string;
  readonly endpoint_name: string;
  readonly response_schema: object | null;
  /** The API version's: changes of its tools wait until somebody accepts them. */
  readonly quarantine: boolean;
  /** Why it is not offered, the outermost first; null where it is. */
  readonly inactive_part: 'api' | 'api_version' | 'endpoint' | null;
  /** The operation that LightAPI describes; null where it describes none. */
  readonly lightapi: unknown;
}
