import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ToolParam } from './tool-params.js';

/** One argument of a tool. */
@Entity('tool_param_t')
export class ToolParamRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  /** UUID v5 of (namespace tool id, name). */
  @PrimaryColumn({ type: 'uuid' }) param_id!: string;
  @Column({ type: 'uuid' }) tool_id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) param_type!: ToolParam['type'];
  @Column({ type: 'boolean' }) required!: boolean;
  @Column({ type: 'jsonb', nullable: true }) default_value!: unknown;
  @Column({ type: 'text', nullable: true }) description!: string | null;
  @Column({ type: 'jsonb' }) validation_schema!: unknown;
  @Column({ type: 'integer' }) order_index!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
