/** Examples of the API document: one gateway, and one tool that it exposes. */

export const gatewayExampleId = '0198c0de-0000-7000-8000-00000000d001';
const toolExampleId = '0198c0de-0000-7000-8000-00000000c001';

const record = {
  active: true,
  aggregateVersion: 1,
  position: 21,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'olga',
};

export const gatewayReceipt = { id: gatewayExampleId, version: 1, position: 21, changed: true };

export const newGatewayExample = {
  serviceId: 'com.example.gateway-1.0.0',
  envTag: 'dev',
  url: 'https://gateway.example.com/mcp',
  maxSensitivityTier: 'internal',
  auth: { type: 'bearer', secret: 'dev-gateway' },
};

export const gatewayExample = {
  gatewayId: gatewayExampleId,
  ...newGatewayExample,
  protocolVersion: 'auto',
  checkIntervalSeconds: null,
  ...record,
};

export const newExposureExample = { toolId: toolExampleId, targetHost: 'https://accounts.example.com' };

export const exposureExample = {
  gatewayId: gatewayExampleId,
  ...newExposureExample,
  toolName: 'getAccountByNo',
  toolActive: true,
  protocol: null,
  runtime: {},
  ...record,
  position: 22,
};

export const exposureReceipts = {
  items: [
    {
      id: '6d8f7a52-6b0f-5d0a-9a86-2f6a5f0f3c11',
      version: 1,
      position: 22,
      changed: true,
      toolId: toolExampleId,
    },
  ],
  position: 22,
};

export const routerConfigExample = `mcp-router.tools:
  - name: getAccountByNo
    description: Reads one account.
    protocol: https
    serviceId: com.example.accounts-1.0.0
    envTag: dev
    path: /accounts/{accountNo}
    method: get
    endpoint: /accounts/{accountNo}@get
    apiType: openapi
    inputSchema:
      type: object
    toolMetadata:
      routing:
        sensitivityTier: internal
        parameters: {}
`;

export const toolsListExample = {
  tools: [
    {
      name: 'getAccountByNo',
      description: 'Reads one account.',
      inputSchema: { type: 'object', properties: { accountNo: { type: 'string' } }, required: ['accountNo'] },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    },
  ],
};
