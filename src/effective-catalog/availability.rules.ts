/** Rules about whether a tool is there to be used at all, in the order in which they are tried. Pure. */
import { quarantinedGrades } from '../endpoints/change-grade.js';
import type { Rule, SkillRule } from './disclosure.offer.js';

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

const endpointInactive: Rule = {
  reason: 'endpoint_inactive',
  compared: ({ tool, endpoint }) => ({ endpointId: tool.endpoint_id, active: endpoint?.active ?? null }),
  objection: ({ tool, endpoint }) => {
    if (tool.endpoint_id === null || endpoint?.active === true) return undefined;
    return `The endpoint ${endpoint?.endpoint ?? tool.endpoint_id}, its API version or its API is inactive.`;
  },
};

const changeNotAccepted: Rule = {
  reason: 'change_not_accepted',
  compared: ({ tool, endpoint }) => ({
    quarantine: endpoint?.quarantine ?? false,
    changeGrade: tool.change_grade,
  }),
  objection: ({ tool: { name, change_grade: grade }, endpoint }) => {
    if (endpoint?.quarantine !== true || grade === null || !quarantinedGrades.includes(grade))
      return undefined;
    return `The tool ${name} has a ${grade} change that nobody has accepted: its API version is in quarantine.`;
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

export const skillRules: readonly SkillRule[] = [skillInactive, skillDependencyMissing];

export const availabilityRules: readonly Rule[] = [
  ...skillRules,
  toolInactive,
  endpointInactive,
  changeNotAccepted,
  lifecycleRetired,
  environmentMismatch,
  notExposed,
];
