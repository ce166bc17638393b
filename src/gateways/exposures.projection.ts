import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { ToolExposureEvent } from './exposure.events.js';
import { ToolExposureRow } from './exposures.row.js';

export const exposureProjection: Projection = {
  name: 'tool-exposures',
  tables: ['tool_exposure_t', 'tool_exposure_history_t'],
  handles: [
    'ToolExposureCreatedEvent',
    'ToolExposureUpdatedEvent',
    'ToolExposureDeletedEvent',
  ] satisfies readonly ToolExposureEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & ToolExposureEvent)[];
    const rows = new RowChanges(ToolExposureRow);
    for (const event of events) {
      const { gatewayId, toolId } = event.data;
      const key = { host_id: event.host, gateway_id: gatewayId, tool_id: toolId };
      const exposed = event.type !== 'ToolExposureDeletedEvent';
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, exposed);
    }
    rows.write(tx);
  },
};

/** An exposure that was taken away keeps its words, inactive. */
function changeOf(event: ToolExposureEvent): Partial<ToolExposureRow> {
  if (event.type === 'ToolExposureDeletedEvent') return { active: false };
  const { targetHost, protocol, runtime } = event.data;
  return { target_host: targetHost, protocol, runtime, active: true };
}
