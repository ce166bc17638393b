import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, receiptAnswer, uuid } from '../../platform/http/schemas.js';

const impactedAgents = {
  type: 'array',
  description: 'Active agents that have one of these skills.',
  items: {
    title: 'ImpactedAgent',
    ...objectOf({
      agentDefId: uuid,
      name: { type: 'string' },
      serviceId: { type: 'string' },
      envTag: { type: 'string' },
      skillIds: { type: 'array', items: uuid },
    }),
  },
} as const;

/** What would change if a record were deactivated; empty where it is inactive already. */
export const impactAnswer = {
  title: 'Impact',
  ...objectOf({
    tools: {
      type: 'array',
      description: 'Tools that would no longer be offered.',
      items: objectOf({ toolId: uuid, name: { type: 'string' } }),
    },
    skills: {
      type: 'array',
      description: 'Active skills that would give an agent less.',
      items: objectOf({
        skillId: uuid,
        name: { type: 'string' },
        effect: {
          type: 'string',
          enum: ['fewer_tools', 'no_tools', 'inactive', 'dependency_missing'],
          description:
            'no_tools: the last active tool goes, assignments are kept. dependency_missing: it needs the skill that goes.',
        },
      }),
    },
    agents: {
      ...impactedAgents,
      description: 'Active agents that have one of these skills, or that would be inactive themselves.',
    },
    workflows: {
      type: 'array',
      description:
        'Active workflows that call one of these tools, or run one that does; of a skill, those that it has linked.',
      items: objectOf({
        wfDefId: uuid,
        namespace: { type: 'string' },
        name: { type: 'string' },
        version: { type: 'string' },
        skillIds: { type: 'array', items: uuid, description: 'Skills that have it linked.' },
      }),
    },
  }),
} as const satisfies JSONSchema;
export type Impact = FromSchema<typeof impactAnswer>;

/** Whom a change of endpoints reaches. */
export const reachAnswer = {
  title: 'Reach',
  ...objectOf({
    skills: {
      type: 'array',
      description: 'Active skills that have a tool of one of these endpoints.',
      items: objectOf({
        skillId: uuid,
        name: { type: 'string' },
        tools: { type: 'array', items: { type: 'string' }, description: 'Their names.' },
      }),
    },
    agents: impactedAgents,
  }),
} as const satisfies JSONSchema;
export type Reach = FromSchema<typeof reachAnswer>;

/** The receipt of a deactivation, with its impact. */
export const deactivationAnswer = {
  ...receiptAnswer,
  title: 'Deactivation',
  required: [...receiptAnswer.required, 'impact'],
  properties: { ...receiptAnswer.properties, impact: impactAnswer },
} as const satisfies JSONSchema;

export const impactExample = {
  tools: [{ toolId: '0198c0de-0000-7000-8000-00000000c001', name: 'getAccountByNo' }],
  skills: [
    {
      skillId: '0198c0de-0000-7000-8000-00000000b001',
      name: 'Account Management',
      effect: 'fewer_tools',
    },
  ],
  agents: [
    {
      agentDefId: '0198c0de-0000-7000-8000-00000000d001',
      name: 'Account Agent',
      serviceId: 'com.example.account-agent',
      envTag: 'prod',
      skillIds: ['0198c0de-0000-7000-8000-00000000b001'],
    },
  ],
  workflows: [],
} as const satisfies Impact;
