import { sliceOf } from '../kernel/slice.js';
import { webhook } from './webhook.record.js';

export const webhookSlice = sliceOf('webhooks', [webhook]);
