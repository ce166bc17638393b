import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { ApiDetails, ApiEvent } from './api.events.js';
import { ApiRow } from './apis.row.js';

export const apiProjection: Projection = {
  name: 'apis',
  tables: ['api_t', 'api_history_t'],
  handles: ['ApiCreatedEvent', 'ApiUpdatedEvent'] satisfies readonly ApiEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & ApiEvent)[];
    const rows = new RowChanges(ApiRow);
    for (const event of events) {
      const row = { ...columnsOf(event.data), active: true, ...auditOf(event) };
      rows.set({ host_id: event.host, api_id: event.aggregateid }, row, true);
    }
    rows.write(tx);
  },
};

function columnsOf({ apiName, apiDesc, businessGroup, gitRepo, ...same }: ApiDetails): Partial<ApiRow> {
  return { ...same, api_name: apiName, api_desc: apiDesc, business_group: businessGroup, git_repo: gitRepo };
}
