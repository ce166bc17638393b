import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AccessLevel } from './skill-tool.events.js';

/** A tool of a skill as it is now; inactive where the link was taken away. */
@Entity('skill_tool_t')
export class SkillToolRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) skill_id!: string;
  @PrimaryColumn({ type: 'uuid' }) tool_id!: string;
  @Column({ type: 'text' }) access_level!: AccessLevel;
  @Column({ type: 'jsonb' }) config!: Readonly<Record<string, unknown>>;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
