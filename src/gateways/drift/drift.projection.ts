import type { RecordedEvent } from '../../kernel/event.js';
import type { Projection } from '../../kernel/slice.js';
import { RowChanges, tableOf } from '../../platform/database/row-changes.js';
import type { DriftRecord, GatewayDriftEvent } from './drift.events.js';

/** What an entry says, by its event. */
const kinds = {
  GatewayDriftRecordedEvent: 'recorded',
  GatewayDriftAcceptedEvent: 'accepted',
  GatewayDriftDismissedEvent: 'dismissed',
  GatewayDriftReopenedEvent: 'reopened',
} as const satisfies Readonly<Record<GatewayDriftEvent['type'], string>>;

/** One entry in the history of a gateway's drift. */
export interface GatewayDriftRow {
  readonly host_id: string;
  readonly gateway_id: string;
  readonly position: number;
  readonly kind: (typeof kinds)[GatewayDriftEvent['type']];
  readonly checked_ts: string;
  readonly protocol_version: string | null;
  readonly failure: DriftRecord['failure'];
  readonly findings: DriftRecord['findings'];
  readonly update_ts: string;
  readonly update_user: string;
}

export const gatewayDriftRows = tableOf<GatewayDriftRow>(
  'gateway_drift_t',
  ['host_id', 'gateway_id', 'position'],
  {
    host_id: 'uuid',
    gateway_id: 'uuid',
    position: 'bigint',
    kind: 'text',
    checked_ts: 'timestamptz',
    protocol_version: 'text',
    failure: 'jsonb',
    findings: 'jsonb',
    update_ts: 'timestamptz',
    update_user: 'text',
  },
);

/** A history: a row for each event. */
export const driftProjection: Projection = {
  name: 'gateway-drifts',
  tables: ['gateway_drift_t'],
  handles: Object.keys(kinds),

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & GatewayDriftEvent)[];
    const rows = new RowChanges<GatewayDriftRow>(gatewayDriftRows);
    for (const { host, aggregateid, position, time, user, ...event } of events) {
      const { checkedAt, protocolVersion, findings } = event.data;
      rows.set(
        { host_id: host, gateway_id: aggregateid, position },
        {
          kind: kinds[event.type],
          checked_ts: checkedAt,
          protocol_version: protocolVersion,
          failure: event.type === 'GatewayDriftRecordedEvent' ? event.data.failure : null,
          ...{ findings, update_ts: time, update_user: user },
        },
        true,
      );
    }
    rows.write(tx);
  },
};
