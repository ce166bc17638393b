import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Settings of a host, from the first change on. */
@Entity('host_settings_t')
export class HostSettingsRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @Column({ type: 'boolean' }) command_tools!: boolean;
  @Column({ type: 'boolean' }) quarantine!: boolean;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  /** Of the last event that changed the row. */
  @Column({ type: 'bigint' }) position!: number;
}
