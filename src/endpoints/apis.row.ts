import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('api_t')
export class ApiRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'text' }) api_id!: string;
  @Column({ type: 'text' }) api_name!: string;
  @Column({ type: 'text', nullable: true }) api_desc!: string | null;
  @Column({ type: 'text', nullable: true }) business_group!: string | null;
  @Column({ type: 'text', nullable: true }) lob!: string | null;
  @Column({ type: 'text', nullable: true }) platform!: string | null;
  @Column({ type: 'text', nullable: true }) capability!: string | null;
  @Column({ type: 'text', nullable: true }) region!: string | null;
  @Column({ type: 'text', nullable: true }) git_repo!: string | null;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'bigint' }) position!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}
