import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { DeleteWebhook, WriteWebhook } from './webhook.commands.js';
import { webhookDecider } from './webhook.decider.js';
import { webhookDeleted, webhookWritten } from './webhook.events.js';
import { webhookProjection } from './webhooks.projection.js';

export const webhookSlice: Slice = {
  name: 'webhooks',
  events: [webhookWritten, webhookDeleted],
  aggregates: [aggregate(webhookDecider, [WriteWebhook, DeleteWebhook])],
  projections: [webhookProjection],
};
