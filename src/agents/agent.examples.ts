/** Examples of the API document: one agent and one of its skills. */

export const agentExampleId = '0198c0de-0000-7000-8000-00000000d001';
const skillExampleId = '0198c0de-0000-7000-8000-00000000b001';

const record = {
  active: true,
  aggregateVersion: 1,
  position: 20,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'olga',
};

export const agentReceipt = { id: agentExampleId, version: 1, position: 20, changed: true };

export const profileExample = {
  modelProvider: 'openai',
  modelName: 'gpt-5-mini',
  personas: ['account-agent'],
  maxSensitivityTier: 'internal',
  domains: ['finance.accounts'],
};

export const agentExample = {
  agentDefId: agentExampleId,
  name: 'Account Agent',
  apiVersion: '1.0.0',
  serviceId: 'com.example.account-agent',
  envTag: 'prod',
  temperature: null,
  maxTokens: null,
  gatewayIds: [],
  semanticNamespaces: [],
  ...profileExample,
  ...record,
};

export const assignmentReceipt = {
  id: '7c1d2b6f-7a6d-5a1f-9a68-2e3a6b7a8d33',
  version: 1,
  position: 21,
  changed: true,
};

export const assignmentExample = { skillId: skillExampleId, priority: 10, sequenceId: 1 };
export const termsExample = { priority: 10, sequenceId: 1 };

export const agentSkillExample = {
  agentDefId: agentExampleId,
  skillName: 'Account Management',
  skillActive: true,
  skillHasActiveTool: true,
  config: {},
  ...assignmentExample,
  ...record,
  position: 21,
};

export const batchReceipt = { items: [{ ...assignmentReceipt, skillId: skillExampleId }], position: 21 };

export const validationExample = {
  items: [
    {
      skillId: skillExampleId,
      ok: false,
      problems: [
        {
          code: 'skill_without_active_tool',
          message:
            'The skill "Account Management" has no active tool. Link one, or activate one that it has.',
        },
      ],
    },
  ],
};
