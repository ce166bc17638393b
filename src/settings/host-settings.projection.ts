import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import { defaultSettings, type HostSettingsEvent } from './host-settings.events.js';
import { HostSettingsRow } from './host-settings.row.js';

export const hostSettingsProjection: Projection = {
  name: 'host-settings',
  tables: ['host_settings_t'],
  handles: ['HostSettingsChangedEvent'] satisfies readonly HostSettingsEvent['type'][],

  apply(tx, recorded) {
    const rows = new RowChanges(HostSettingsRow);
    for (const event of recorded as readonly (RecordedEvent & HostSettingsEvent)[]) {
      const columns = {
        command_tools: event.data.commandTools,
        quarantine: event.data.quarantine ?? defaultSettings.quarantine,
        ...auditOf(event),
      };
      rows.set({ host_id: event.host }, columns, true);
    }
    rows.write(tx);
  },
};
