import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { GatewayProfile } from './gateway.events.js';

/** A gateway as it is now. */
@Entity('gateway_t')
export class GatewayRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) gateway_id!: string;
  @Column({ type: 'text' }) service_id!: string;
  @Column({ type: 'text' }) env_tag!: string;
  @Column({ type: 'text' }) url!: string;
  @Column({ type: 'text' }) protocol_version!: GatewayProfile['protocolVersion'];
  @Column({ type: 'text' }) max_sensitivity_tier!: Tier;
  @Column({ type: 'jsonb', nullable: true }) auth!: GatewayProfile['auth'];
  @Column({ type: 'integer', nullable: true }) check_interval_seconds!: number | null;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  /** Of the last event that changed the row. */
  @Column({ type: 'bigint' }) position!: number;
}
