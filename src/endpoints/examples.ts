import { namesExample } from '../taxonomy/shared.js';

/** Examples of the API document: one API, one version of it, one endpoint. */

export const apiVersionExampleId = '0198c0de-0000-7000-8000-00000000a001';
export const endpointExampleId = '5f1c7a52-8a3c-5d0e-9a57-0f2f5a6f7c11';

const record = {
  active: true,
  aggregateVersion: 1,
  position: 1,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'olga',
};

export const receiptExample = { id: apiVersionExampleId, version: 1, position: 1, changed: true };

export const apiExample = {
  apiId: 'accounts',
  apiName: 'Account API',
  apiDesc: 'Accounts, statements and transfers.',
  businessGroup: 'Retail banking',
  lob: null,
  platform: null,
  capability: 'account-management',
  region: null,
  gitRepo: null,
  ...record,
};

export const apiVersionExample = {
  apiVersionId: apiVersionExampleId,
  apiId: 'accounts',
  apiVersion: '1.2.0',
  apiType: 'openapi',
  serviceId: 'com.example.accounts',
  envTag: 'prod',
  apiVersionDesc: null,
  quarantine: false,
  specFormat: 'openapi',
  specFormatVersion: '3.1.0',
  specDigest: '9b74c9897bac770ffc029102a200c5de3d4c1d6b3b8f4d7e4b1c1e2f3a4b5c6d',
  ...record,
  position: 2,
};

const inputSchema = {
  type: 'object',
  required: ['accountNo'],
  properties: { accountNo: { type: 'string', pattern: '^[0-9]{10}$' } },
};

const routing = {
  domain: 'finance.accounts',
  semanticNamespace: 'prod.accounts.core',
  semanticWeight: 1,
  sensitivityTier: 'Internal-Only',
  parameters: { accountNo: { in: 'path', name: 'accountNo' } },
};
const safety = { readOnly: true, idempotent: true, destructive: false, humanApprovalRequired: false };

export const listedEndpointExample = {
  endpointId: endpointExampleId,
  apiId: 'accounts',
  apiVersionId: apiVersionExampleId,
  serviceId: 'com.example.accounts',
  envTag: 'prod',
  endpoint: '/accounts/{accountNo}@get',
  method: 'get',
  path: '/accounts/{accountNo}',
  name: 'getAccountByNo',
  description: 'Returns the account with this number.',
  sourceProtocol: 'openapi',
  lifecycleStatus: 'active',
  domain: 'finance.accounts',
  semanticNamespace: 'prod.accounts.core',
  sensitivityTier: 'internal',
  semanticWeight: 1,
  targetPersonas: [],
  ...namesExample,
  category: null,
  documentTags: ['accounts'],
  enrichment: 'partial',
  gaps: ['routing.semanticDescription', 'routing.semanticKeywords', 'routing.targetPersonas'],
  changed: false,
  conflict: false,
  ...record,
  aggregateVersion: 2,
  position: 9,
};

export const endpointExample = {
  ...listedEndpointExample,
  inputSchema,
  outputSchema: { type: 'object' },
  toolMetadata: { routing, safety },
  provenance: {
    description: 'source',
    inputSchema: 'source',
    'routing.domain': 'operator',
    'routing.semanticNamespace': 'operator',
    'routing.sensitivityTier': 'operator',
  },
  layers: {
    operator: {
      routing: {
        domain: 'finance.accounts',
        semanticNamespace: 'prod.accounts.core',
        sensitivityTier: 'Internal-Only',
      },
    },
    source: {
      method: 'get',
      path: '/accounts/{accountNo}',
      name: 'getAccountByNo',
      description: 'Returns the account with this number.',
      inputSchema,
      safety: { readOnly: true, idempotent: true, destructive: false },
    },
  },
  conflicts: [],
  scopes: [[{ scheme: 'oauth', scopes: ['account.r'] }]],
  vanished: [],
  deactivated: false,
};

export const exportExample = {
  lightapi: '0.1.0',
  info: { title: 'Accounts', namespace: 'accounts', version: '1.0.0' },
  sources: { api: { type: 'openapi', version: '3.1.0' } },
  operations: {
    getAccountByNo: {
      endpointId: 'accounts/getAccountByNo',
      operationId: 'getAccountByNo',
      protocol: 'http',
      source: 'api',
      method: 'GET',
      endpoint: '/accounts/{accountNo}',
      description: 'Returns the account with this number.',
      input: { schema: inputSchema },
      request: { path: { accountNo: '${input.accountNo}' } },
      visibility: 'internal',
      lifecycle: 'active',
      safety: { destructive: false, requiresConfirmation: false },
      idempotency: { safeToRetry: true },
      metadata: {
        portalEndpoint: '/accounts/{accountNo}@get',
        routing: { domain: 'finance.accounts', readOnly: true },
      },
    },
  },
};
