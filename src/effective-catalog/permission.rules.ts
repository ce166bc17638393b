/** Rules about what this agent, skill, link and token may use, in the order in which they are tried. Pure. */
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import { exceeds, lowestTier, tierOf } from '../platform/auth/sensitivity-tier.js';
import { needsApprovalFor, type ApprovalReason } from '../../packages/tool-guard/tool-guard.js';
import { isApproved } from './approval.policy.js';
import type { ToolRow } from './catalog.rows.js';
import type { Offer, Rule, Terms } from './disclosure.offer.js';
import type { LooseJson } from './loose-json.js';
import { objectIn, textIn, textsIn } from './loose-json.js';

const accessLevelTooLow: Rule = {
  reason: 'access_level_too_low',
  compared: ({ link, tool: { tool_metadata } }) => ({
    accessLevel: link.access_level,
    readOnly: tool_metadata.safety?.readOnly ?? false,
    destructive: tool_metadata.safety?.destructive ?? false,
  }),
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
  compared: (offer, { tokenTier }) => ({
    tool: offer.tool.sensitivity_tier,
    agent: tierOf(offer.agent.max_sensitivity_tier),
    assignment: limitOf(offer.assignment.config) ?? null,
    link: limitOf(offer.link.config) ?? null,
    token: tokenTier ?? null,
  }),
  objection: (offer, terms) => {
    const { tool } = offer;
    const limit = tierLimitOf(offer, terms);
    if (!exceeds(tool.sensitivity_tier, limit)) return undefined;
    return `The tool's sensitivity tier is ${tool.sensitivity_tier}, the limit here is ${limit}.`;
  },
};

const personaMismatch: Rule = {
  reason: 'persona_mismatch',
  compared: ({ agent, tool }) => ({
    tool: tool.target_personas,
    agent: agent.personas,
    agentName: agent.name,
  }),
  objection: ({ agent, tool }) => {
    const wanted = tool.target_personas.map(folded).filter((persona) => persona !== '');
    const given = new Set([...agent.personas, agent.name].map(folded));
    if (wanted.length === 0 || wanted.some((persona) => given.has(persona))) return undefined;
    return `The tool is meant for ${wanted.join(', ')}; the agent is ${[...given].join(', ')}.`;
  },
};

const domainMismatch: Rule = {
  reason: 'domain_mismatch',
  compared: ({ agent, assignment, tool }) => ({
    domain: tool.routing_domain,
    agentDomains: agent.domains,
    assignmentDomains: textsIn(assignment.config, 'domains'),
    semanticNamespace: tool.semantic_namespace,
    agentNamespaces: agent.semantic_namespaces,
    assignmentNamespaces: textsIn(assignment.config, 'semanticNamespaces'),
  }),
  objection: ({ agent, assignment, tool }) =>
    outside('domain', tool.routing_domain, agent.domains) ??
    outside('domain', tool.routing_domain, textsIn(assignment.config, 'domains')) ??
    outside('semantic namespace', tool.semantic_namespace, agent.semantic_namespaces) ??
    outside('semantic namespace', tool.semantic_namespace, textsIn(assignment.config, 'semanticNamespaces')),
};

/** A rule about a flag of the tool that asks for approval. */
function approvalRule(
  reason: ApprovalReason,
  flag: 'destructive' | 'humanApprovalRequired',
  why: string,
): Rule {
  const needs = ({ tool }: Offer): boolean => needsApprovalFor(tool.tool_metadata.safety ?? {}, reason);
  return {
    reason,
    compared: (offer, terms) => ({ [flag]: needs(offer), ...approvalOf(offer, terms) }),
    objection: (offer, { approvals }) =>
      needs(offer) && !isApproved(offer, approvals) ? unapproved(why, offer) : undefined,
  };
}

const destructiveWithoutApproval = approvalRule(
  'destructive_tool_requires_approval_workflow',
  'destructive',
  'is destructive',
);
const approvalMissing = approvalRule(
  'approval_required_missing_workflow',
  'humanApprovalRequired',
  'requires human approval',
);

const contextMissing: Rule = {
  reason: 'context_missing',
  compared: ({ tool }, { context }) => ({
    required: requiredContextOf(tool),
    atHand: context === undefined ? null : [...context],
  }),
  objection: ({ tool }, { context }) => {
    const required = requiredContextOf(tool);
    const missing = context === undefined ? [] : required.filter((name) => !context.has(name));
    return missing.length === 0
      ? undefined
      : `The tool needs context that is not at hand: ${missing.join(', ')}.`;
  },
};

export const permissionRules: readonly Rule[] = [
  accessLevelTooLow,
  tierTooHigh,
  personaMismatch,
  domainMismatch,
  destructiveWithoutApproval,
  approvalMissing,
  contextMissing,
];

/** The highest tier that this offer may have: the lowest of the agent's, the assignment's, the link's, the token's. */
export function tierLimitOf({ agent, assignment, link }: Offer, { tokenTier }: Terms): Tier {
  return lowestTier(
    tierOf(agent.max_sensitivity_tier),
    limitOf(assignment.config),
    limitOf(link.config),
    tokenTier,
  );
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

function requiredContextOf({ tool_metadata }: ToolRow): readonly string[] {
  return textsIn(objectIn(tool_metadata.routing, 'contextRequirements'), 'requiredContext');
}

function approvalOf(offer: Offer, { approvals }: Terms): Readonly<Record<string, unknown>> {
  return {
    link: textIn(offer.link.config, 'approvalWorkflow') ?? null,
    tool: offer.tool.tool_metadata.safety?.approvalWorkflow ?? null,
    approved: isApproved(offer, approvals),
  };
}

function unapproved(why: string, { tool, link }: Offer): string {
  const named = textIn(link.config, 'approvalWorkflow') ?? tool.tool_metadata.safety?.approvalWorkflow;
  const state =
    named === undefined ? 'no approval workflow is named' : `${named} is no published workflow of the host`;
  return `The tool ${why}, and ${state}.`;
}
