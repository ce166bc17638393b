import { gatewayExampleId } from './gateway.examples.js';

/** Examples of the API document: a gateway that lists a tool that the catalog does not know. */

const toolId = '0198c0de-0000-7000-8000-00000000c001';

export const driftExample = {
  gatewayId: gatewayExampleId,
  checkedAt: '2026-11-21T09:30:00.000Z',
  protocolVersion: '2026-07-28',
  items: [
    {
      toolName: 'getAccountByNo',
      toolId,
      finding: 'description_changed',
      before: 'Reads one account.',
      after: 'Reads an account.',
    },
    { toolName: 'listBranches', finding: 'not_in_catalog' },
  ],
};

export const acceptanceExample = { findings: [{ toolName: 'listBranches', finding: 'not_in_catalog' }] };

export const acceptedExample = {
  gatewayId: gatewayExampleId,
  items: [
    {
      id: '3b0c1a5e-6f5c-5f0e-8f57-1d2f5a6f7c23',
      version: 1,
      position: 37,
      changed: true,
      toolName: 'listBranches',
      finding: 'not_in_catalog',
      toolId: '0198c0de-0000-7000-8000-00000000c002',
      endpointId: '3b0c1a5e-6f5c-5f0e-8f57-1d2f5a6f7c23',
    },
  ],
  conflicts: [],
  position: 40,
};

const foundExample = {
  checkedAt: '2026-11-21T09:30:00.000Z',
  protocolVersion: '2026-07-28',
  failure: null,
  findings: [
    { toolName: 'listBranches', toolId: null, finding: 'not_in_catalog', grade: null, reason: null },
  ],
};

export const checkExample = {
  id: gatewayExampleId,
  version: 1,
  position: 41,
  changed: true,
  ...foundExample,
};

export const historyExample = {
  kind: 'recorded',
  ...foundExample,
  position: 41,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'gateway-checks',
};
