import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A skill that a skill builds on, as it is now; inactive where the dependency was taken away. */
@Entity('skill_dependency_t')
export class SkillDependencyRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) skill_id!: string;
  @PrimaryColumn({ type: 'uuid' }) depends_on_skill_id!: string;
  @Column({ type: 'boolean' }) required!: boolean;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
