import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RecordedEvent } from '../../eventsourcing/event.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { RowChanges } from '../../platform/database/row-changes.js';
import type { DriftRecord, GatewayDriftEvent } from './drift.events.js';

/** One entry in the history of a gateway's drift. */
@Entity('gateway_drift_t')
export class GatewayDriftRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) gateway_id!: string;
  @PrimaryColumn({ type: 'bigint' }) position!: number;
  @Column({ type: 'text' }) kind!: 'recorded' | 'accepted';
  @Column({ type: 'timestamptz', precision: 3 }) checked_ts!: string;
  @Column({ type: 'text', nullable: true }) protocol_version!: string | null;
  @Column({ type: 'jsonb', nullable: true }) failure!: DriftRecord['failure'];
  @Column({ type: 'jsonb' }) findings!: DriftRecord['findings'];
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}

/** A history: a row for each event. */
export const driftProjection: Projection = {
  name: 'gateway-drifts',
  tables: ['gateway_drift_t'],
  handles: [
    'GatewayDriftRecordedEvent',
    'GatewayDriftAcceptedEvent',
  ] satisfies readonly GatewayDriftEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & GatewayDriftEvent)[];
    const rows = new RowChanges(GatewayDriftRow);
    for (const { host, aggregateid, position, time, user, ...event } of events) {
      const { checkedAt, protocolVersion, findings } = event.data;
      const isRecord = event.type === 'GatewayDriftRecordedEvent';
      rows.set(
        { host_id: host, gateway_id: aggregateid, position },
        {
          kind: isRecord ? 'recorded' : 'accepted',
          checked_ts: checkedAt,
          protocol_version: protocolVersion,
          failure: isRecord ? event.data.failure : null,
          ...{ findings, update_ts: time, update_user: user },
        },
        true,
      );
    }
    rows.write(tx);
  },
};
