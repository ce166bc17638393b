/**
 * Which tools an agent is given, and why it is not given the others: the ordered rules of contract 7
 * (reference 1, Security Rules). Pure: rows in, a reason out.
 */
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import { exceeds, lowestTier, tierOf } from '../platform/auth/sensitivity-tier.js';
import { isApproved, needsApproval } from './approval.policy.js';
import type { AgentRow, AssignmentRow, EndpointRow, LinkRow, SkillRow, ToolRow } from './catalog.rows.js';
import type { LooseJson } from './loose-json.js';
import { objectIn, textIn, textsIn } from './loose-json.js';

/** One tool, as one skill offers it to one agent. */
export interface Offer {
  readonly agent: AgentRow;
  readonly assignment: AssignmentRow;
  readonly skill: SkillRow;
  readonly link: LinkRow;
  readonly tool: ToolRow;
  /** Absent for a script. */
  readonly endpoint?: EndpointRow | undefined;
}

/** What the offers are judged by beside the rows. */
export interface Terms {
  /** From the token's `maxSensitivityTier`. */
  readonly tokenTier?: Tier | undefined;
  /** Names of the context at hand; absent where nobody asked: then nothing is withheld for context. */
  readonly context?: ReadonlySet<string> | undefined;
  /** Published, active workflow definitions of the host: each by its `wfDefId` and by `namespace/name`. */
  readonly approvals: ReadonlySet<string>;
}

/** Why a tool is withheld: `reason` is stable, `detail` is for people. */
export interface Objection {
  readonly reason: string;
  readonly detail: string;
}

interface Rule {
  readonly reason: string;
  /** What was compared and failed; undefined where the rule lets the tool pass. */
  readonly objection: (offer: Offer, terms: Terms) => string | undefined;
}

const skillInactive: Rule = {
  reason: 'skill_inactive',
  objection: ({ skill }) => (skill.active ? undefined : `The skill ${skill.name} is inactive.`),
};

const toolInactive: Rule = {
  reason: 'tool_inactive',
  objection: ({ tool }) => (tool.active ? undefined : `The tool ${tool.name} is inactive.`),
};

const endpointInactive: Rule = {
  reason: 'endpoint_inactive',
  objection: ({ tool, endpoint }) => {
    if (tool.endpoint_id === null || endpoint?.active === true) return undefined;
    return `The endpoint ${endpoint?.endpoint ?? tool.endpoint_id}, its API version or its API is inactive.`;
  },
};

const lifecycleRetired: Rule = {
  reason: 'lifecycle_retired',
  objection: ({ tool }) =>
    tool.lifecycle_status === 'retired' ? `The tool ${tool.name} has lifecycle status retired.` : undefined,
};

const environmentMismatch: Rule = {
  reason: 'environment_mismatch',
  objection: ({ agent, endpoint }) => {
    const envTag = endpoint?.env_tag ?? agent.env_tag;
    if (envTag === agent.env_tag) return undefined;
    return `The tool's API version serves the environment ${envTag}, the agent runs in ${agent.env_tag}.`;
  },
};

const accessLevelTooLow: Rule = {
  reason: 'access_level_too_low',
  objection: ({ link, tool }) => {
    const { readOnly = false, destructive = false } = tool.tool_metadata.safety ?? {};
    const level = link.access_level;
    if (level === 'execute' || (level === 'write' && !destructive)) return undefined;
    if (readOnly && (level === 'read' || level === 'write')) return undefined;
    const nature = destructive ? 'destructive' : 'not read-only';
    return `The skill links the tool with access level ${level}, and the tool is ${nature}.`;
  },
};

const tierTooHigh: Rule = {
  reason: 'sensitivity_tier_exceeds_policy',
  objection: ({ agent, assignment, link, tool }, { tokenTier }) => {
    const limit = lowestTier(
      tierOf(agent.max_sensitivity_tier),
      limitOf(assignment.config),
      limitOf(link.config),
      tokenTier,
    );
    if (!exceeds(tool.sensitivity_tier, limit)) return undefined;
    return `The tool's sensitivity tier is ${tool.sensitivity_tier}, the limit here is ${limit}.`;
  },
};

const personaMismatch: Rule = {
  reason: 'persona_mismatch',
  objection: ({ agent, tool }) => {
    const wanted = tool.target_personas.map(folded).filter((persona) => persona !== '');
    const given = new Set([...agent.personas, agent.name].map(folded));
    if (wanted.length === 0 || wanted.some((persona) => given.has(persona))) return undefined;
    return `The tool is meant for ${wanted.join(', ')}; the agent is ${[...given].join(', ')}.`;
  },
};

const domainMismatch: Rule = {
  reason: 'domain_mismatch',
  objection: ({ agent, assignment, tool }) =>
    outside('domain', tool.routing_domain, agent.domains) ??
    outside('domain', tool.routing_domain, textsIn(assignment.config, 'domains')) ??
    outside('semantic namespace', tool.semantic_namespace, agent.semantic_namespaces) ??
    outside('semantic namespace', tool.semantic_namespace, textsIn(assignment.config, 'semanticNamespaces')),
};

const destructiveWithoutApproval: Rule = {
  reason: 'destructive_tool_requires_approval_workflow',
  objection: (offer, { approvals }) => {
    if (offer.tool.tool_metadata.safety?.destructive !== true || isApproved(offer, approvals))
      return undefined;
    return unapproved('is destructive', offer);
  },
};

const approvalMissing: Rule = {
  reason: 'approval_required_missing_workflow',
  objection: (offer, { approvals }) => {
    if (!needsApproval(offer.tool) || isApproved(offer, approvals)) return undefined;
    return unapproved('requires human approval', offer);
  },
};

const contextMissing: Rule = {
  reason: 'context_missing',
  objection: ({ tool }, { context }) => {
    const required = textsIn(objectIn(tool.tool_metadata.routing, 'contextRequirements'), 'requiredContext');
    const missing = context === undefined ? [] : required.filter((name) => !context.has(name));
    return missing.length === 0
      ? undefined
      : `The tool needs context that is not at hand: ${missing.join(', ')}.`;
  },
};

/** In the order of contract 7. Three reasons come with the work that brings their facts. */
export const rules: readonly Rule[] = [
  skillInactive,
  // skill_dependency_missing: with skill dependencies
  toolInactive,
  endpointInactive,
  // change_not_accepted: with quarantine
  lifecycleRetired,
  environmentMismatch,
  // not_exposed: with gateways
  accessLevelTooLow,
  tierTooHigh,
  personaMismatch,
  domainMismatch,
  destructiveWithoutApproval,
  approvalMissing,
  contextMissing,
];

/** The first rule that withholds the tool, or undefined where it is disclosed. */
export function objectionTo(offer: Offer, terms: Terms): Objection | undefined {
  for (const { reason, objection } of rules) {
    const detail = objection(offer, terms);
    if (detail !== undefined) return { reason, detail };
  }
  return undefined;
}

/** The limit that a link's or an assignment's config sets, if it sets one. */
function limitOf(config: LooseJson): Tier | undefined {
  return config['maxSensitivityTier'] == null ? undefined : tierOf(textIn(config, 'maxSensitivityTier'));
}

function folded(persona: string): string {
  return persona.trim().toLowerCase();
}

/** `finance` admits `finance` and `finance.accounts`, not `financial`. */
function outside(what: string, actual: string | null, admitted: readonly string[]): string | undefined {
  if (admitted.length === 0) return undefined;
  const inside = admitted.some((name) => actual === name || actual?.startsWith(`${name}.`));
  return inside
    ? undefined
    : `The tool's ${what} is ${actual ?? 'not set'}, admitted are ${admitted.join(', ')}.`;
}

function unapproved(why: string, { tool, link }: Offer): string {
  const named = textIn(link.config, 'approvalWorkflow') ?? tool.tool_metadata.safety?.approvalWorkflow;
  const state =
    named === undefined ? 'no approval workflow is named' : `${named} is no published workflow of the host`;
  return `The tool ${why}, and ${state}.`;
}
