/** Examples of the API document: a workflow that calls two tools. */
import { namesExample } from '../taxonomy/shared.js';

export const workflowExampleId = '0198c0de-0000-7000-8000-0000000000f1';

const definition = `document:
  dsl: 1.0.3
  namespace: accounts
  name: explain-bill
  version: 1.0.0
do:
  - findAccount:
      call: mcp
      with:
        method: tools/call
        parameters:
          name: getAccountByNo
  - readBills:
      call: http
      with:
        endpoint: lightapi://accounts/bills.list
`;

export const newWorkflowExample = {
  namespace: 'accounts',
  name: 'explain-bill',
  version: '1.0.0',
  definition,
};

const toolCalls = [
  { path: '/do/0/findAccount', by: 'name', value: 'getAccountByNo', dependency: null },
  { path: '/do/1/readBills', by: 'capabilityRef', value: 'accounts/bills.list', dependency: null },
];

export const workflowReceiptExample = {
  id: workflowExampleId,
  version: 1,
  position: 20,
  changed: true,
  lifecycleStatus: 'DRAFT',
  warnings: [],
};

export const listedWorkflowExample = {
  wfDefId: workflowExampleId,
  namespace: 'accounts',
  name: 'explain-bill',
  version: '1.0.0',
  lifecycleStatus: 'DRAFT',
  ...namesExample,
  active: true,
  aggregateVersion: 1,
  position: 20,
  updateTs: '2026-11-21T09:40:00.000Z',
  updateUser: 'olga',
};

export const workflowExample = { ...listedWorkflowExample, definition, toolCalls, warnings: [] };

export const validationExample = {
  problems: [
    {
      severity: 'error',
      path: '/do/1/readBills',
      code: 'workflow_tool_not_linked',
      message: 'The step calls the tool of lightapi://accounts/bills.list, which the skill does not have.',
      line: 14,
    },
  ],
  steps: [
    {
      ...{ path: '/do/0/findAccount', name: 'findAccount', kind: 'call: mcp', tools: [toolCalls[0]] },
      ...{ line: 7, next: [{ path: '/do/1/readBills', label: null }] },
    },
    {
      ...{ path: '/do/1/readBills', name: 'readBills', kind: 'call: http', tools: [toolCalls[1]] },
      ...{ line: 14, next: [] },
    },
  ],
};
