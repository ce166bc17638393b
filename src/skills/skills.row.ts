import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A skill as it is now. */
@Entity('skill_t')
export class SkillRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) skill_id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) description!: string;
  @Column({ type: 'text' }) content_markdown!: string;
  @Column({ type: 'text' }) version!: string;
  @Column({ type: 'uuid', nullable: true }) parent_skill_id!: string | null;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  /** Of the last event that changed the row. */
  @Column({ type: 'bigint' }) position!: number;
}
