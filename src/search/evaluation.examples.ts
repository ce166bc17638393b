const prompt = 'Which accounts does this customer have?';

export const dataSetExample = {
  body: { rows: [{ prompt, expect: ['getAccounts'], forbid: ['deleteAccount'] }] },
  answer: { name: 'tellers', rowCount: 1, updateTs: '2026-08-01T09:00:00.000Z', updateUser: 'anna' },
} as const;

export const evaluationExample = {
  id: '0199a000-0000-7000-8000-000000000009',
  dataSet: 'tellers',
  agentDefId: null,
  position: 120,
  metrics: {
    prompts: 1,
    hit1: 0,
    recall: { 1: 0, 3: 1, 5: 1, 10: 1 },
    mrr: 0.5,
    ndcg10: 0.6309,
    forbiddenHits: 0,
    latency: { p50: 3.2, p99: 3.2 },
  },
  updateTs: '2026-08-01T09:00:00.000Z',
  updateUser: 'anna',
} as const;

export const evaluationRunExample = {
  ...evaluationExample,
  confusions: [{ expected: 'getAccounts', found: 'getCustomers', times: 1, prompt }],
  results: [
    { prompt, expect: ['getAccounts'], found: ['getCustomers', 'getAccounts'], rank: 2, forbidden: [] },
  ],
} as const;
