import { sliceOf } from '../eventsourcing/slice.js';
import { webhook } from './webhook.record.js';

export const webhookSlice = sliceOf('webhooks', [webhook]);
