/** Examples of the API document: one skill and one of its tools. */

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
  ...record,
};

export const skillExample = { ...listedSkillExample, contentMarkdown: newSkillExample.contentMarkdown };

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
  accessLevel: 'read',
  config: { notes: 'Ask for the account number first.' },
  ...record,
  position: 13,
};
