import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EntityType } from './entity-type.js';

/** A category as it is now; inactive where it was deleted. */
@Entity('category_t')
export class CategoryRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) category_id!: string;
  @Column({ type: 'text' }) entity_type!: EntityType;
  @Column({ type: 'text' }) category_name!: string;
  @Column({ type: 'text', nullable: true }) category_desc!: string | null;
  @Column({ type: 'uuid', nullable: true }) parent_category_id!: string | null;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}
