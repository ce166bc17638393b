export const searchExample = {
  body: {
    prompt: 'Which accounts does this customer have?',
    kinds: ['tool'],
    filters: { domain: 'finance' },
    explain: true,
  },
  answer: {
    items: [
      {
        kind: 'tool',
        id: '0199a000-0000-7000-8000-000000000004',
        name: 'getAccounts',
        description: 'List account summaries.',
        score: 0.412,
        keywordScore: 0.39,
        vectorScore: 0.31,
        weight: 1.1,
        matched: [{ term: 'account', fields: ['name', 'description', 'keywords'] }],
        parts: { words: 0.4, example: 0, weight: { semantic: 1, priority: 1, lifecycle: 1, safety: 1.1 } },
        related: [
          {
            kind: 'tool',
            id: '0199a000-0000-7000-8000-000000000007',
            name: 'getAccountById',
            reason: 'dependency',
            relation: 'often followed by',
          },
        ],
      },
    ],
  },
} as const;
