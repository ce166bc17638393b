/**
 * Which tools an agent is given, and why it is not given the others: one list of rules, tried in its order
 * (docs/contract.md, section 7). A new reason is one more object in a list. Pure.
 */
import { needsApprovalFor, type ApprovalReason } from '../../../packages/tool-guard/tool-guard.js';
import { quarantinedGrades } from '../../endpoints/shared.js';
import { exceeds, tierOf, type Tier } from '../../platform/auth/sensitivity-tier.js';
import { isApproved, limitOf, tierLimitOf, type AssignedSkill, type Offer } from './offers.js';
import { objectIn, textIn, textsIn } from '../loose-json.js';
import type { ToolRow } from '../rows.js';
import { foreign, reachedBy, reachRules } from './reached.js';

/** Facts that rules need beside the rows. */
export interface DisclosureContext {
  /** From the token's `maxSensitivityTier`. */
  readonly tokenTier?: Tier | undefined;
  /** Names of the context at hand; absent where the request names none: then nothing is withheld for context. */
  readonly context?: ReadonlySet<string> | undefined;
  /** Published, active workflow definitions of the host: each by its `wfDefId` and by `namespace/name`. */
  readonly approvals: ReadonlySet<string>;
}

/** Why a tool is withheld: `reason` is stable, `detail` is for people. */
export interface Objection {
  readonly reason: string;
  readonly detail: string;
}

/** A rule about an offer, or about the skill alone whatever it offers. */
export interface Rule<Subject = Offer> {
  readonly reason: string;
  /** The values that the rule looks at, for the explanation. */
  readonly compared: (subject: Subject, context: DisclosureContext) => Readonly<Record<string, unknown>>;
  /** Says what failed; undefined where the rule passes. */
  readonly objection: (subject: Subject, context: DisclosureContext) => string | undefined;
}

/** Endings of the message that an agent is inactive, by what is switched off. */
const inactiveWith = { agent: '', api_version: ': its API version is', api: ': its API is' } as const;

export const skillRules: readonly Rule<AssignedSkill>[] = [
  {
    reason: 'agent_inactive',
    compared: ({ agent }) => ({ agent: agent.name, active: agent.inactive_part === null }),
    objection: ({ agent: { name, inactive_part: part } }) =>
      part === null ? undefined : `The agent ${name} is inactive${inactiveWith[part]}.`,
  },
  {
    reason: 'skill_inactive',
    compared: ({ skill }) => ({ skill: skill.name, active: skill.active }),
    objection: ({ skill }) => (skill.active ? undefined : `The skill ${skill.name} is inactive.`),
  },
  // A required skill must be assigned too; it is never added by itself.
  {
    reason: 'skill_dependency_missing',
    compared: ({ missingSkills }) => ({ missingSkills }),
    objection: ({ skill, missingSkills }) =>
      missingSkills.length === 0
        ? undefined
        : `The skill ${skill.name} requires skills that are inactive or not assigned: ${missingSkills.join(', ')}.`,
  },
];

const toolRules: readonly Rule[] = [
  {
    reason: 'tool_inactive',
    compared: ({ tool }) => ({ active: tool.active }),
    objection: ({ tool }) => (tool.active ? undefined : `The tool ${tool.name} is inactive.`),
  },
  ...reachRules,
  {
    reason: 'operation_unfit',
    compared: ({ tool }) => ({ version: tool.version, fault: tool.call_fault }),
    objection: ({ tool: { name, version, call_fault: fault } }) =>
      fault?.code === 'operation_unfit'
        ? `The API does not take the operation of version ${version} of the tool ${name} any more: ${fault.details.join(' ')}`
        : undefined,
  },
  {
    reason: 'version_not_approved',
    compared: ({ tool, link }) => ({ range: link.range, approved: tool.approved }),
    objection: ({ tool, link: { range } }) => {
      if (tool.approved) return undefined;
      const which = range === null ? 'No version' : `No version in the range ${range} of the link`;
      return `${which} of the tool ${tool.name} is approved.`;
    },
  },
  {
    reason: 'change_not_accepted',
    compared: (offer) => ({ quarantine: inQuarantine(offer), changeGrade: offer.tool.change_grade }),
    objection: (offer) => {
      const { name, change_grade: grade } = offer.tool;
      if (!inQuarantine(offer) || grade === null || !quarantinedGrades.includes(grade)) return undefined;
      const why = offer.tool.quarantine
        ? 'the version that it had can’t be called any more'
        : 'its API version is in quarantine';
      return `The tool ${name} has a ${grade} change that nobody has accepted: ${why}.`;
    },
  },
  {
    reason: 'lifecycle_retired',
    compared: ({ tool }) => ({ lifecycleStatus: tool.lifecycle_status }),
    objection: ({ tool }) =>
      tool.lifecycle_status === 'retired' ? `The tool ${tool.name} has lifecycle status retired.` : undefined,
  },
  {
    reason: 'environment_mismatch',
    compared: (offer) => ({ agent: offer.agent.env_tag, apiVersion: foreign(offer)?.env_tag ?? null }),
    objection: (offer) => {
      const { agent } = offer;
      const envTag = foreign(offer)?.env_tag ?? agent.env_tag;
      if (envTag === agent.env_tag) return undefined;
      return `The tool's API version serves the environment ${envTag}, the agent runs in ${agent.env_tag}.`;
    },
  },
  {
    reason: 'not_exposed',
    compared: ({ agent, exposed }) => ({ gatewayIds: agent.gateway_ids, exposed: exposed ?? null }),
    objection: ({ agent, tool, exposed }) => {
      if (exposed !== false) return undefined;
      const gateways =
        agent.gateway_ids.length > 0 ? "the agent's gateways" : `the gateways of ${agent.env_tag}`;
      return `None of ${gateways} exposes the tool ${tool.name}.`;
    },
  },
  {
    reason: 'access_level_too_low',
    compared: ({ link, tool: { tool_metadata } }) => ({
      accessLevel: link.access_level,
      readOnly: tool_metadata.safety?.readOnly ?? false,
      destructive: tool_metadata.safety?.destructive ?? false,
    }),
    objection: ({ link: { access_level: level }, tool }) => {
      const { readOnly = false, destructive = false } = tool.tool_metadata.safety ?? {};
      if (level === 'execute' || (level === 'write' && !destructive)) return undefined;
      if (readOnly && (level === 'read' || level === 'write')) return undefined;
      const nature = destructive ? 'destructive' : 'not read-only';
      return `The skill links the tool with access level ${level}, and the tool is ${nature}.`;
    },
  },
  {
    reason: 'sensitivity_tier_exceeds_policy',
    compared: ({ agent, assignment, link, tool }, { tokenTier }) => ({
      tool: tool.sensitivity_tier,
      agent: tierOf(agent.max_sensitivity_tier),
      assignment: limitOf(assignment.config) ?? null,
      link: limitOf(link.config) ?? null,
      token: tokenTier ?? null,
    }),
    objection: (offer, context) => {
      const { sensitivity_tier: tier } = offer.tool;
      const limit = tierLimitOf(offer, context);
      if (!exceeds(tier, limit)) return undefined;
      return `The tool's sensitivity tier is ${tier}, the limit here is ${limit}.`;
    },
  },
  {
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
  },
  {
    reason: 'domain_mismatch',
    compared: ({ agent, assignment, tool }) => ({
      domain: tool.routing_domain,
      agentDomains: agent.domains,
      assignmentDomains: textsIn(assignment.config, 'domains'),
      semanticNamespace: tool.semantic_namespace,
      agentNamespaces: agent.semantic_namespaces,
      assignmentNamespaces: textsIn(assignment.config, 'semanticNamespaces'),
    }),
    objection: ({ agent, assignment, tool: { routing_domain: domain, semantic_namespace: namespace } }) =>
      outside('domain', domain, agent.domains) ??
      outside('domain', domain, textsIn(assignment.config, 'domains')) ??
      outside('semantic namespace', namespace, agent.semantic_namespaces) ??
      outside('semantic namespace', namespace, textsIn(assignment.config, 'semanticNamespaces')),
  },
  approvalRule('destructive_tool_requires_approval_workflow', 'destructive', 'is destructive'),
  approvalRule('approval_required_missing_workflow', 'humanApprovalRequired', 'requires human approval'),
  {
    reason: 'context_missing',
    compared: ({ tool }, { context }) => ({
      required: requiredContextOf(tool),
      atHand: context === undefined ? null : [...context],
    }),
    objection: ({ tool }, { context }) => {
      if (context === undefined) return undefined;
      const missing = requiredContextOf(tool).filter((name) => !context.has(name));
      if (missing.length === 0) return undefined;
      return `The tool needs context that is not at hand: ${missing.join(', ')}.`;
    },
  },
  // An agent calls tools by name, so only one of those with the same name is given.
  {
    reason: 'name_shared',
    compared: ({ tool, namesake }) => ({ name: tool.name, givenInstead: namesake?.tool_id ?? null }),
    objection: ({ namesake: given }) =>
      given && `An earlier tool called ${given.name} is given: ${given.tool_id}, version ${given.version}.`,
  },
];

/** All rules, in the order in which they are tried. */
export const rules: readonly Rule[] = [...skillRules, ...toolRules];

/** Finds the first of the rules that objects; undefined where none does. */
export function firstObjection<Subject>(
  tried: readonly Rule<Subject>[],
  subject: Subject,
  context: DisclosureContext,
): Objection | undefined {
  for (const { reason, objection } of tried) {
    const detail = objection(subject, context);
    if (detail !== undefined) return { reason, detail };
  }
  return undefined;
}

/** A rule about a flag of the tool that asks for approval. */
function approvalRule(
  reason: ApprovalReason,
  flag: 'destructive' | 'humanApprovalRequired',
  nature: string,
): Rule {
  const needs = ({ tool }: Offer): boolean => needsApprovalFor(tool.tool_metadata.safety ?? {}, reason);
  return {
    reason,
    compared: (offer, context) => ({
      [flag]: needs(offer),
      link: textIn(offer.link.config, 'approvalWorkflow') ?? null,
      tool: offer.tool.tool_metadata.safety?.approvalWorkflow ?? null,
      approved: isApproved(offer, context),
    }),
    objection: (offer, context) => {
      if (!needs(offer) || isApproved(offer, context)) return undefined;
      const { link, tool } = offer;
      const named = textIn(link.config, 'approvalWorkflow') ?? tool.tool_metadata.safety?.approvalWorkflow;
      return named === undefined
        ? `The tool ${nature}, and no approval workflow is named.`
        : `The tool ${nature}, and ${named} is no published workflow of the host.`;
    },
  };
}

/** The API version says whether changes wait; of a tool that has none, the setting of the host when the change came. */
const inQuarantine = (offer: Offer): boolean =>
  offer.tool.quarantine || reachedBy(offer).some(({ quarantine }) => quarantine);

const folded = (persona: string): string => persona.trim().toLowerCase();

/** `finance` admits `finance` and `finance.accounts`, not `financial`. */
function outside(what: string, actual: string | null, admitted: readonly string[]): string | undefined {
  if (admitted.length === 0) return undefined;
  const inside = admitted.some((name) => actual === name || actual?.startsWith(`${name}.`));
  return inside
    ? undefined
    : `The tool's ${what} is ${actual ?? 'not set'}, admitted are ${admitted.join(', ')}.`;
}

const requiredContextOf = ({ tool_metadata }: ToolRow): readonly string[] =>
  textsIn(objectIn(tool_metadata.routing, 'contextRequirements'), 'requiredContext');
