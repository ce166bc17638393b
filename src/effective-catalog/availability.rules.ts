/** Rules about whether a tool is there to be used at all, in the order in which they are tried. Pure. */
import { quarantinedGrades } from '../endpoints/change-grade.js';
import type { Offer, Rule, SkillRule } from './disclosure.offer.js';

/** An agent is inactive with its API version, and with its API. */
const inactiveWith = { agent: '', api_version: ': its API version is', api: ': its API is' } as const;

const agentInactive: SkillRule = {
  reason: 'agent_inactive',
  compared: ({ agent }) => ({ agent: agent.name, active: agent.inactive_part === null }),
  objection: ({ agent: { name, inactive_part: part } }) =>
    part === null ? undefined : `The agent ${name} is inactive${inactiveWith[part]}.`,
};

const skillInactive: SkillRule = {
  reason: 'skill_inactive',
  compared: ({ skill }) => ({ skill: skill.name, active: skill.active }),
  objection: ({ skill }) => (skill.active ? undefined : `The skill ${skill.name} is inactive.`),
};

/** A required skill is never pulled in silently. */
const skillDependencyMissing: SkillRule = {
  reason: 'skill_dependency_missing',
  compared: ({ missingSkills }) => ({ missingSkills }),
  objection: ({ skill, missingSkills }) =>
    missingSkills.length === 0
      ? undefined
      : `The skill ${skill.name} requires skills that are inactive or not assigned: ${missingSkills.join(', ')}.`,
};

const toolInactive: Rule = {
  reason: 'tool_inactive',
  compared: ({ tool }) => ({ active: tool.active }),
  objection: ({ tool }) => (tool.active ? undefined : `The tool ${tool.name} is inactive.`),
};

const apiInactive: Rule = {
  reason: 'api_inactive',
  compared: ({ endpoint }) => ({
    apiId: endpoint?.api_id ?? null,
    active: endpoint === undefined ? null : endpoint.inactive_part !== 'api',
  }),
  objection: ({ endpoint }) =>
    endpoint?.inactive_part === 'api' ? `The API ${endpoint.api_id} is inactive.` : undefined,
};

const apiVersionInactive: Rule = {
  reason: 'api_version_inactive',
  compared: ({ endpoint }) => ({
    apiVersionId: endpoint?.api_version_id ?? null,
    active: endpoint === undefined ? null : endpoint.inactive_part !== 'api_version',
  }),
  objection: ({ endpoint }) =>
    endpoint?.inactive_part === 'api_version'
      ? `The version ${endpoint.api_version} of the API ${endpoint.api_id} is inactive.`
      : undefined,
};

const endpointInactive: Rule = {
  reason: 'endpoint_inactive',
  compared: ({ tool, endpoint }) => ({
    endpointId: tool.endpoint_id,
    active: endpoint === undefined ? null : endpoint.inactive_part !== 'endpoint',
  }),
  objection: ({ tool, endpoint }) => {
    const gone = endpoint === undefined ? tool.endpoint_id !== null : endpoint.inactive_part === 'endpoint';
    return gone ? `The endpoint ${endpoint?.endpoint ?? String(tool.endpoint_id)} is inactive.` : undefined;
  },
};

/** The API version says whether changes wait; of a tool that has none, the setting of the host when the change came. */
const inQuarantine = ({ tool, endpoint }: Offer): boolean => endpoint?.quarantine ?? tool.quarantine;

const changeNotAccepted: Rule = {
  reason: 'change_not_accepted',
  compared: (offer) => ({ quarantine: inQuarantine(offer), changeGrade: offer.tool.change_grade }),
  objection: (offer) => {
    const { name, change_grade: grade } = offer.tool;
    if (!inQuarantine(offer) || grade === null || !quarantinedGrades.includes(grade)) return undefined;
    const why =
      offer.endpoint === undefined ? 'the host quarantines changes' : 'its API version is in quarantine';
    return `The tool ${name} has a ${grade} change that nobody has accepted: ${why}.`;
  },
};

const lifecycleRetired: Rule = {
  reason: 'lifecycle_retired',
  compared: ({ tool }) => ({ lifecycleStatus: tool.lifecycle_status }),
  objection: ({ tool }) =>
    tool.lifecycle_status === 'retired' ? `The tool ${tool.name} has lifecycle status retired.` : undefined,
};

const environmentMismatch: Rule = {
  reason: 'environment_mismatch',
  compared: ({ agent, endpoint }) => ({ agent: agent.env_tag, apiVersion: endpoint?.env_tag ?? null }),
  objection: ({ agent, endpoint }) => {
    const envTag = endpoint?.env_tag ?? agent.env_tag;
    if (envTag === agent.env_tag) return undefined;
    return `The tool's API version serves the environment ${envTag}, the agent runs in ${agent.env_tag}.`;
  },
};

const notExposed: Rule = {
  reason: 'not_exposed',
  compared: ({ agent, exposed }) => ({ gatewayIds: agent.gateway_ids, exposed: exposed ?? null }),
  objection: ({ agent, tool, exposed }) => {
    if (exposed !== false) return undefined;
    const gateways =
      agent.gateway_ids.length > 0 ? "the agent's gateways" : `the gateways of ${agent.env_tag}`;
    return `None of ${gateways} exposes the tool ${tool.name}.`;
  },
};

export const skillRules: readonly SkillRule[] = [agentInactive, skillInactive, skillDependencyMissing];

export const availabilityRules: readonly Rule[] = [
  ...skillRules,
  toolInactive,
  apiInactive,
  apiVersionInactive,
  endpointInactive,
  changeNotAccepted,
  lifecycleRetired,
  environmentMismatch,
  notExposed,
];
