import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Exposure } from './exposure.events.js';

/** A tool of a gateway as it is now; inactive where it was taken off. */
@Entity('tool_exposure_t')
export class ToolExposureRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) gateway_id!: string;
  @PrimaryColumn({ type: 'uuid' }) tool_id!: string;
  @Column({ type: 'text', nullable: true }) target_host!: string | null;
  @Column({ type: 'text', nullable: true }) protocol!: string | null;
  @Column({ type: 'jsonb' }) runtime!: Exposure['runtime'];
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
