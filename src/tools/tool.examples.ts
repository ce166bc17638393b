/** Examples of the API document: the tool of one endpoint. */
import { namesExample } from '../taxonomy/taxonomy.examples.js';

export const apiVersionExampleId = '0198c0de-0000-7000-8000-00000000a001';
export const endpointExampleId = '5f1c7a52-8a3c-5d0e-9a57-0f2f5a6f7c11';
export const toolExampleId = '0198c0de-0000-7000-8000-00000000c001';

const inputSchema = {
  type: 'object',
  required: ['accountNo'],
  properties: { accountNo: { type: 'string', pattern: '^[0-9]{10}$' } },
};

const routing = { domain: 'finance.accounts', semanticNamespace: 'prod.accounts.core', semanticWeight: 1 };
const safety = { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false };
const description = 'Shows one account with its balance.';

export const listedToolExample = {
  toolId: toolExampleId,
  name: 'getAccountByNo',
  description,
  version: '1.0.0',
  implementationType: 'lightapi_endpoint',
  endpointId: endpointExampleId,
  endpointActive: true,
  apiId: 'accounts',
  apiVersionId: apiVersionExampleId,
  serviceId: 'com.example.accounts',
  envTag: 'prod',
  sourceProtocol: 'openapi',
  capabilityRef: null,
  lifecycleStatus: 'active',
  domain: 'finance.accounts',
  semanticNamespace: 'prod.accounts.core',
  sensitivityTier: 'internal',
  semanticWeight: 1,
  targetPersonas: [],
  ...namesExample,
  category: null,
  changed: false,
  active: true,
  aggregateVersion: 1,
  position: 12,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'olga',
};

export const paramExample = {
  name: 'accountNo',
  type: 'string',
  required: true,
  schema: inputSchema.properties.accountNo,
  order: 0,
};

export const toolExample = {
  ...listedToolExample,
  implementationClass: null,
  scriptContent: null,
  inputSchema,
  responseSchema: null,
  params: [paramExample],
  toolMetadata: { routing, safety },
  beneath: { description, routing, safety, lifecycleStatus: 'active' },
  provenance: {},
  examplePrompts: ['how much is on this account'],
  change: null,
  scopes: [[{ scheme: 'oauth', scopes: ['account.r'] }]],
};

export const toolReceiptExample = {
  id: toolExampleId,
  version: 1,
  position: 12,
  changed: true,
  name: 'getAccountByNo',
  toolVersion: '1.0.0',
  active: true,
};
