import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Tier } from '../platform/auth/sensitivity-tier.js';

/** The profile of an agent; its name, service and environment are those of its API version. */
@Entity('agent_definition_t')
export class AgentRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) agent_def_id!: string;
  @Column({ type: 'text', nullable: true }) model_provider!: string | null;
  @Column({ type: 'text', nullable: true }) model_name!: string | null;
  @Column({ type: 'double precision', nullable: true }) temperature!: number | null;
  @Column({ type: 'integer', nullable: true }) max_tokens!: number | null;
  @Column({ type: 'text', array: true }) personas!: readonly string[];
  @Column({ type: 'text' }) max_sensitivity_tier!: Tier;
  @Column({ type: 'text', array: true }) gateway_ids!: readonly string[];
  @Column({ type: 'text', array: true }) domains!: readonly string[];
  @Column({ type: 'text', array: true }) semantic_namespaces!: readonly string[];
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'bigint' }) position!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}
