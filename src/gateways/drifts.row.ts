import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DriftRecord } from './drift.events.js';

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
