import { tableOf } from '../platform/database/row-changes.js';
import type { Selected } from './entity-taxonomy.events.js';
import type { EntityType } from './entity-type.js';

/** What a thing is classified with, in one row, so that its history can be kept. */
export interface EntityTaxonomyRow {
  readonly host_id: string;
  readonly entity_type: EntityType;
  readonly entity_id: string;
  readonly categories: Selected;
  readonly tags: Selected;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
  readonly position: number;
}

export const entityTaxonomyRows = tableOf<EntityTaxonomyRow>(
  'entity_taxonomy_t',
  ['host_id', 'entity_type', 'entity_id'],
  {
    host_id: 'uuid',
    entity_type: 'text',
    entity_id: 'uuid',
    categories: 'jsonb',
    tags: 'jsonb',
    aggregate_version: 'bigint',
    update_ts: 'timestamptz',
    update_user: 'text',
    position: 'bigint',
  },
);

/** One category of a thing. */
export interface EntityCategoryRow {
  readonly host_id: string;
  readonly entity_type: EntityType;
  readonly entity_id: string;
  readonly category_id: string;
  /** Of a global one, as it was when it was selected. */
  readonly global_name: string | null;
}

export const entityCategoryRows = tableOf<EntityCategoryRow>(
  'entity_category_t',
  ['host_id', 'entity_type', 'entity_id', 'category_id'],
  { host_id: 'uuid', entity_type: 'text', entity_id: 'uuid', category_id: 'uuid', global_name: 'text' },
);

/** One tag of a thing. */
export interface EntityTagRow {
  readonly host_id: string;
  readonly entity_type: EntityType;
  readonly entity_id: string;
  readonly tag_id: string;
  /** Of a global one, as it was when it was selected. */
  readonly global_name: string | null;
}

export const entityTagRows = tableOf<EntityTagRow>(
  'entity_tag_t',
  ['host_id', 'entity_type', 'entity_id', 'tag_id'],
  { host_id: 'uuid', entity_type: 'text', entity_id: 'uuid', tag_id: 'uuid', global_name: 'text' },
);
