import { apiVersionExampleId, endpointExampleId, receiptExample } from '../endpoints/api.examples.js';

/** Examples of the API document. */
export const documentExample = {
  openapi: '3.1.0',
  info: { title: 'Account API', version: '1.2.0' },
  paths: {
    '/accounts/{accountNo}': {
      get: {
        operationId: 'getAccountByNo',
        tags: ['accounts'],
        summary: 'Get one account',
        parameters: [{ name: 'accountNo', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { '200': { description: 'The account' } },
      },
    },
  },
};

export const reportExample = {
  apiVersionId: apiVersionExampleId,
  apiId: 'accounts',
  apiVersion: '1.2.0',
  format: 'openapi',
  formatVersion: '3.1.0',
  total: 1,
  added: 1,
  changed: 0,
  unchanged: 0,
  deactivated: 0,
  reactivated: 0,
  unpublished: 1,
  items: [
    {
      endpointId: endpointExampleId,
      endpoint: '/accounts/{accountNo}@get',
      name: 'getAccountByNo',
      change: 'added',
      fields: [],
      grades: {},
      changes: [],
      breaking: false,
      suspicious: [],
      held: [],
      enrichment: 'none',
      gaps: ['routing.semanticNamespace', 'routing.semanticDescription', 'routing.sensitivityTier'],
    },
  ],
  reach: { skills: [], agents: [] },
  warnings: [
    {
      code: 'secret_redacted',
      pointer: '/paths/~1accounts/get/parameters/0/example',
      detail: 'A secret (credential) was replaced by [redacted:credential].',
    },
  ],
  conflicts: [],
  withheld: [],
  position: 5,
};

export const importExample = {
  api: { apiId: 'accounts', apiName: 'Account API' },
  version: { apiVersion: '1.2.0', serviceId: 'com.example.accounts', envTag: 'prod' },
  document: documentExample,
  publish: true,
};

export const versionExample = {
  apiVersion: '1.2.0',
  apiType: 'openapi',
  serviceId: 'com.example.accounts',
  envTag: 'prod',
  spec: documentExample,
};

export const versionReceiptExample = { ...receiptExample, position: 5, import: reportExample };
