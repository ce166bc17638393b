import { Command } from '../eventsourcing/command.js';
import type { WebhookWords } from './webhook.events.js';

/** Writes a webhook, new or old, under the id that the caller chose. */
export class WriteWebhook extends Command<WebhookWords> {
  readonly aggregateType = 'Webhook';
}

export class DeleteWebhook extends Command<Record<never, never>> {
  readonly aggregateType = 'Webhook';
}

export type WebhookCommand = WriteWebhook | DeleteWebhook;
