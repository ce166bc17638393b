import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A webhook as it is now; inactive where it was deleted. */
@Entity('webhook_t')
export class WebhookRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) webhook_id!: string;
  @Column({ type: 'text' }) url!: string;
  @Column({ type: 'text' }) secret!: string;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
