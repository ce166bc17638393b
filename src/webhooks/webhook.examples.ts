/** Examples of the API document. */

const webhookId = '0198c0de-0000-7000-8000-00000000e001';

export const newWebhookExample = { url: 'https://agents.example.com/hooks/catalog', secret: 'agents-hook' };

export const webhookReceipt = { id: webhookId, version: 1, position: 50, changed: true };

export const webhookExample = {
  webhookId,
  ...newWebhookExample,
  active: true,
  aggregateVersion: 1,
  position: 50,
  updateTs: '2026-11-21T09:30:00.000Z',
  updateUser: 'olga',
};

export const deliveryExample = {
  deliveryId: '5f0a1f1e-3c0f-4f0e-9d6a-1d1a5f7c2b11',
  webhookId,
  position: 57,
  time: '2026-11-21T09:31:00.000Z',
  state: 'dead',
  attempts: 12,
  nextAttemptAt: '2026-11-21T10:31:00.000Z',
  lastError: 'It answered with the status 500.',
};
