import { starterWorkflow } from './starter-workflow.js';

describe('a starter workflow', () => {
  it('calls each tool of its skill once, and is sound', () => {
    const words = starterWorkflow('0198c0de-0000-7000-8000-00000000b001', 'Account Management', [
      'getAccount',
      'payBill',
    ]);
    expect(words).toMatchObject({
      ...{ namespace: 'skills', name: 'account-management-0000b001', version: '1.0.0', warnings: [] },
      toolCalls: [
        { by: 'name', value: 'getAccount', dependency: null },
        { by: 'name', value: 'payBill', dependency: null },
      ],
    });
    expect(words.definition).toMatch(/^document:\n  dsl: /);
  });
});
