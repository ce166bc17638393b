import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { ApiDetails, ApiEvent } from './api.events.js';
import { ApiRow } from './apis.row.js';

export const apiProjection: Projection = {
  name: 'apis',
  tables: ['api_t', 'api_history_t'],
  handles: [
    'ApiCreatedEvent',
    'ApiUpdatedEvent',
    'ApiDeactivatedEvent',
    'ApiActivatedEvent',
  ] satisfies readonly ApiEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & ApiEvent)[];
    const rows = new RowChanges(ApiRow);
    for (const event of events) {
      const key = { host_id: event.host, api_id: event.aggregateid };
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, event.type === 'ApiCreatedEvent');
    }
    rows.write(tx);
  },
};

function changeOf(event: ApiEvent): Partial<ApiRow> {
  switch (event.type) {
    case 'ApiCreatedEvent':
      return { ...columnsOf(event.data), active: true };
    case 'ApiUpdatedEvent':
      return columnsOf(event.data);
    case 'ApiDeactivatedEvent':
      return { active: false };
    case 'ApiActivatedEvent':
      return { active: true };
  }
}

function columnsOf({ apiName, apiDesc, businessGroup, gitRepo, ...same }: ApiDetails): Partial<ApiRow> {
  return { ...same, api_name: apiName, api_desc: apiDesc, business_group: businessGroup, git_repo: gitRepo };
}
