/** Examples of the API document: one skill and one of its tools. */
import { namesExample } from '../taxonomy/shared.js';
import { workflowExampleId } from '../workflows/shared.js';

export const skillExampleId = '0198c0de-0000-7000-8000-00000000b001';
export const toolExampleId = '0198c0de-0000-7000-8000-00000000c001';

const record = {
  active: true,
  aggregateVersion: 1,
  position: 12,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'olga',
};

export const skillReceipt = { id: skillExampleId, version: 1, position: 12, changed: true };

export const newSkillExample = {
  name: 'Account Management',
  description: 'Use it to inspect and manage customer accounts.',
  contentMarkdown: 'Prefer read-only tools before create or update tools.',
};

export const listedSkillExample = {
  skillId: skillExampleId,
  name: newSkillExample.name,
  description: newSkillExample.description,
  version: '1.0.0',
  parentSkillId: null,
  ...namesExample,
  ...record,
};

export const skillExample = { ...listedSkillExample, contentMarkdown: newSkillExample.contentMarkdown };

export const skillDocumentExample = {
  formatVersion: '1.0',
  ...newSkillExample,
  version: '1.0.0',
  parentSkill: null,
  categories: ['accounts'],
  tags: ['read-mostly'],
  tools: [
    {
      name: 'getAccountByNo',
      endpoint: { apiId: 'accounts', apiVersion: '1.0.0', key: '/accounts/{accountNo}@get' },
      accessLevel: 'read',
      config: { notes: 'Ask for the account number first.' },
    },
  ],
  dependsOn: [{ skill: 'Identity Verification', required: true }],
} as const;

export const linkReceipt = {
  id: '3b0c1a5e-6f5c-5f0e-8f57-1d2f5a6f7c22',
  version: 1,
  position: 13,
  changed: true,
};

export const skillToolExample = {
  skillId: skillExampleId,
  toolId: toolExampleId,
  toolName: 'getAccountByNo',
  toolActive: true,
  sensitivityTier: 'confidential',
  accessLevel: 'read',
  range: '^1',
  config: { notes: 'Ask for the account number first.' },
  ...record,
  position: 13,
};

export const dependencyReceipt = {
  id: '5c2f1e90-3a7b-5d4c-9e1f-4b8a6c2d7e55',
  version: 1,
  position: 18,
  changed: true,
};

export const skillDependencyExample = {
  skillId: skillExampleId,
  dependsOnSkillId: '0198c0de-0000-7000-8000-00000000b002',
  skillName: 'Identity Verification',
  skillActive: true,
  required: true,
  ...record,
  position: 18,
};

export const skillWorkflowExample = {
  skillId: skillExampleId,
  wfDefId: workflowExampleId,
  workflowRole: 'primary',
  namespace: 'accounts',
  name: 'explain-bill',
  version: '1.0.0',
  lifecycleStatus: 'PUBLISHED',
  workflowActive: true,
  startMode: 'agent',
  config: { inputDefaults: { months: 3 } },
  findings: [],
  ...record,
  position: 24,
};

export const workflowLinkReceipt = {
  id: '5a0d6c1e-93b4-5e3c-8a1f-2c7d9e0b4f66',
  version: 1,
  position: 24,
  changed: true,
};
