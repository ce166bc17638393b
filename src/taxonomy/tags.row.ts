import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EntityType } from './entity-type.js';

/** A tag as it is now; inactive where it was deleted. */
@Entity('tag_t')
export class TagRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) tag_id!: string;
  @Column({ type: 'text' }) entity_type!: EntityType;
  @Column({ type: 'text' }) tag_name!: string;
  @Column({ type: 'text', nullable: true }) tag_desc!: string | null;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
