import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { WebhookEvent } from './webhook.events.js';
import { WebhookRow } from './webhooks.row.js';

export const webhookProjection: Projection = {
  name: 'webhooks',
  tables: ['webhook_t'],
  handles: ['WebhookWrittenEvent', 'WebhookDeletedEvent'] satisfies readonly WebhookEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & WebhookEvent)[];
    const rows = new RowChanges(WebhookRow);
    for (const event of events) {
      const written = event.type === 'WebhookWrittenEvent';
      const change = written ? { ...event.data, active: true } : { active: false };
      const key = { host_id: event.host, webhook_id: event.aggregateid };
      rows.set(key, { ...change, ...auditOf(event) }, written);
    }
    rows.write(tx);
  },
};
