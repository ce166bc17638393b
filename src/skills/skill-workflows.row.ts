import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StartMode, WorkflowRole } from './skill-workflow.events.js';

/** A workflow of a skill as it is now; inactive where the link was taken away. */
@Entity('skill_workflow_t')
export class SkillWorkflowRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) skill_id!: string;
  @PrimaryColumn({ type: 'uuid' }) wf_def_id!: string;
  @PrimaryColumn({ type: 'text' }) workflow_role!: WorkflowRole;
  @Column({ type: 'text' }) start_mode!: StartMode;
  @Column({ type: 'jsonb' }) config!: Readonly<Record<string, unknown>>;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
