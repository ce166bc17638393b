import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { webhook } from './webhook.record.js';

export const webhookSlice: Slice = {
  name: 'webhooks',
  events: webhook.events,
  aggregates: [aggregate(webhook.decider, [])],
  projections: [webhook.projection],
};
