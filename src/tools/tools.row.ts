import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Tier } from '../platform/auth/sensitivity-tier.js';
import type { ChangeMark, ToolOverrides, ToolFields } from './tool-facts.js';
import type { ToolParam } from './tool-params.js';

/** A tool as it is now. */
@Entity('tool_t')
export class ToolRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) tool_id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) description!: string;
  @Column({ type: 'text' }) version!: string;
  @Column({ type: 'text' }) implementation_type!: 'lightapi_endpoint' | 'java' | 'python' | 'javascript';
  @Column({ type: 'text', nullable: true }) implementation_class!: string | null;
  @Column({ type: 'text', nullable: true }) script_content!: string | null;
  /** Null for a tool without an endpoint, like the five columns that follow. */
  @Column({ type: 'uuid', nullable: true }) endpoint_id!: string | null;
  @Column({ type: 'uuid', nullable: true }) api_version_id!: string | null;
  @Column({ type: 'text', nullable: true }) api_id!: string | null;
  @Column({ type: 'text', nullable: true }) service_id!: string | null;
  @Column({ type: 'text', nullable: true }) env_tag!: string | null;
  @Column({ type: 'text', nullable: true }) source_protocol!: string | null;
  @Column({ type: 'boolean' }) endpoint_active!: boolean;
  @Column({ type: 'text', nullable: true }) capability_ref!: string | null;
  @Column({ type: 'text', nullable: true }) routing_domain!: string | null;
  @Column({ type: 'text', nullable: true }) semantic_namespace!: string | null;
  @Column({ type: 'text', nullable: true }) category!: string | null;
  /** The tier that the raw word in `tool_metadata` stands for. */
  @Column({ type: 'text' }) sensitivity_tier!: Tier;
  @Column({ type: 'real' }) semantic_weight!: number;
  @Column({ type: 'text' }) lifecycle_status!: ToolFields['lifecycleStatus'];
  @Column({ type: 'text', array: true }) target_personas!: readonly string[];
  /** In lower case. */
  @Column({ type: 'text', array: true }) persona_keys!: readonly string[];
  @Column({ type: 'jsonb' }) tool_metadata!: Pick<ToolFields, 'routing' | 'safety'>;
  @Column({ type: 'jsonb' }) input_schema!: Record<string, unknown>;
  /** Only of a tool without an endpoint. */
  @Column({ type: 'jsonb', nullable: true }) response_schema!: Record<string, unknown> | null;
  @Column({ type: 'jsonb' }) params!: readonly ToolParam[];
  /** The fields of the source, without overrides. */
  @Column({ type: 'jsonb' }) words!: ToolFields;
  @Column({ type: 'jsonb' }) overrides!: ToolOverrides;
  @Column({ type: 'jsonb' }) example_prompts!: readonly string[];
  @Column({ type: 'jsonb', nullable: true }) change!: ChangeMark | null;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  /** Of the last event that changed the row. */
  @Column({ type: 'bigint' }) position!: number;
}

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
