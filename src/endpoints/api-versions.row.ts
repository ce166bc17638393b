import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApiType } from '../formats/formats.js';

@Entity('api_version_t')
export class ApiVersionRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) api_version_id!: string;
  @Column({ type: 'text' }) api_id!: string;
  @Column({ type: 'text' }) api_version!: string;
  @Column({ type: 'text' }) api_type!: ApiType;
  @Column({ type: 'text' }) service_id!: string;
  /** Null: it serves every environment. */
  @Column({ type: 'text', nullable: true }) env_tag!: string | null;
  @Column({ type: 'text', nullable: true }) api_version_desc!: string | null;
  @Column({ type: 'boolean' }) quarantine!: boolean;
  /** The document in force, as it was imported less the secrets found in it; packed. */
  @Column({ type: 'text', nullable: true }) spec!: string | null;
  @Column({ type: 'text', nullable: true }) spec_digest!: string | null;
  @Column({ type: 'text', nullable: true }) spec_format!: string | null;
  @Column({ type: 'text', nullable: true }) spec_format_version!: string | null;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'bigint' }) position!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}
