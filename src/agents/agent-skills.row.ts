import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A skill of an agent; inactive where the assignment was taken away. */
@Entity('agent_skill_t')
export class AgentSkillRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) agent_def_id!: string;
  @PrimaryColumn({ type: 'uuid' }) skill_id!: string;
  @Column({ type: 'jsonb' }) config!: Readonly<Record<string, unknown>>;
  @Column({ type: 'integer' }) priority!: number;
  @Column({ type: 'integer' }) sequence_id!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'bigint' }) position!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}
