import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { NotFound } from '../eventsourcing/errors.js';
import { WriteWebhook, type WebhookCommand } from './webhook.commands.js';
import type { WebhookEvent, WebhookWords } from './webhook.events.js';

/** Null while there is none. */
export type WebhookState = WebhookWords | null;

export const webhookDecider: Decider<WebhookState, WebhookCommand, WebhookEvent> = {
  aggregateType: 'Webhook',
  initial: null,

  decide(command, state) {
    if (command instanceof WriteWebhook) {
      const data = command.payload;
      return isDeepStrictEqual(state, data) ? [] : [{ type: 'WebhookWrittenEvent', data }];
    }
    if (state === null) throw new NotFound('webhook', command.aggregateId);
    return [{ type: 'WebhookDeletedEvent', data: {} }];
  },

  evolve(_state, event) {
    return event.type === 'WebhookWrittenEvent' ? event.data : null;
  },
};
