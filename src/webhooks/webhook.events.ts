import { eventType, type EventOf } from '../eventsourcing/event-type.js';

/** Also when a webhook that was deleted is written again. */
export const webhookWritten = eventType({
  type: 'WebhookWrittenEvent',
  aggregateType: 'Webhook',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['url', 'secret'],
    properties: {
      url: { type: 'string' },
      /** The name of the secret that deliveries are signed with, never the secret. */
      secret: { type: 'string' },
    },
  },
});

export const webhookDeleted = eventType({
  type: 'WebhookDeletedEvent',
  aggregateType: 'Webhook',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export type WebhookWords = EventOf<typeof webhookWritten>['data'];
export type WebhookEvent = EventOf<typeof webhookWritten> | EventOf<typeof webhookDeleted>;
