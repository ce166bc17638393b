import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WorkflowRun } from './workflow-runs.js';
import type { LifecycleStatus, WorkflowWords } from './workflow.events.js';

/** A workflow definition, one version of it, as it is now. */
@Entity('wf_definition_t')
export class WorkflowRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) wf_def_id!: string;
  @Column({ type: 'text' }) namespace!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) version!: string;
  @Column({ type: 'text' }) definition!: string;
  @Column({ type: 'jsonb' }) tool_calls!: WorkflowWords['toolCalls'];
  @Column({ type: 'jsonb' }) runs!: readonly WorkflowRun[];
  @Column({ type: 'jsonb' }) warnings!: WorkflowWords['warnings'];
  @Column({ type: 'text' }) lifecycle_status!: LifecycleStatus;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
