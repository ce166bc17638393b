import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Selected } from './entity-taxonomy.events.js';
import type { EntityType } from './entity-type.js';

/** What a thing is classified with, in one row, so that its history can be kept. */
@Entity('entity_taxonomy_t')
export class EntityTaxonomyRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'text' }) entity_type!: EntityType;
  @PrimaryColumn({ type: 'uuid' }) entity_id!: string;
  @Column({ type: 'jsonb' }) categories!: Selected;
  @Column({ type: 'jsonb' }) tags!: Selected;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
  @Column({ type: 'bigint' }) position!: number;
}

/** One category of a thing. */
@Entity('entity_category_t')
export class EntityCategoryRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'text' }) entity_type!: EntityType;
  @PrimaryColumn({ type: 'uuid' }) entity_id!: string;
  @PrimaryColumn({ type: 'uuid' }) category_id!: string;
  /** Of a global one, as it was when it was selected. */
  @Column({ type: 'text', nullable: true }) global_name!: string | null;
}

/** One tag of a thing. */
@Entity('entity_tag_t')
export class EntityTagRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'text' }) entity_type!: EntityType;
  @PrimaryColumn({ type: 'uuid' }) entity_id!: string;
  @PrimaryColumn({ type: 'uuid' }) tag_id!: string;
  /** Of a global one, as it was when it was selected. */
  @Column({ type: 'text', nullable: true }) global_name!: string | null;
}
