/** Which categories and tags a thing has: the event, how it is decided, and its tables. */
import { eventType, type EventOf, type RecordedEvent } from '../kernel/event.js';
import { entityTypes, type EntityType } from './term.fields.js';
import { v5 } from 'uuid';
import { Command, type Decider } from '../kernel/command.js';
import { isDeepStrictEqual } from 'node:util';
import { tableOf, auditOf, RowChanges } from '../platform/database/row-changes.js';
import type { Projection } from '../kernel/slice.js';
import type { Transaction } from '../kernel/sql.js';

const selected = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'globalName'],
    properties: {
      id: { type: 'string' },
      /**
       * Name of a global one when it was selected; null for one of the host. Kept, so that a global name that changes
       * later changes no host's catalog.
       */
      globalName: { type: ['string', 'null'] },
    },
  },
} as const;

/** The categories and tags of one thing, all of them, each list ordered by id. */
export const entityTaxonomyReplaced = eventType({
  type: 'EntityTaxonomyReplacedEvent',
  aggregateType: 'EntityTaxonomy',
  version: 1,
  touches: ['entityId'],
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['entityType', 'entityId', 'categories', 'tags'],
    properties: {
      entityType: { enum: entityTypes },
      entityId: { type: 'string' },
      categories: selected,
      tags: selected,
    },
  },
});

export type EntityTaxonomyEvent = EventOf<typeof entityTaxonomyReplaced>;
/** Selected categories or tags. */
export type Selected = EntityTaxonomyEvent['data']['tags'];

/** The thing that is classified. */
export interface Entity {
  readonly entityType: EntityType;
  readonly entityId: string;
}

/** Derives the id of the selection, which is an aggregate of its own, from the thing's. */
export function entityTaxonomyId({ entityType, entityId }: Entity): string {
  return v5(entityType, entityId);
}

/** Sets the categories and tags of a thing; a list left out stays. */
export class ReplaceTaxonomy extends Command<
  Entity & { readonly categories?: Selected | undefined; readonly tags?: Selected | undefined }
> {
  readonly aggregateType = 'EntityTaxonomy';
}

/** Sets the tags that a document gives to a thing, where nobody has ever classified it. */
export class AdoptTags extends Command<Entity & { readonly tags: Selected }> {
  readonly aggregateType = 'EntityTaxonomy';
}

export type EntityTaxonomyCommand = ReplaceTaxonomy | AdoptTags;

/** A selection; before the first one, to select nothing changes nothing. */
export interface EntityTaxonomyState {
  readonly status: 'unset' | 'set';
  readonly categories: Selected;
  readonly tags: Selected;
}

export const entityTaxonomyDecider: Decider<EntityTaxonomyState, EntityTaxonomyCommand, EntityTaxonomyEvent> =
  {
    aggregateType: 'EntityTaxonomy',
    initial: { status: 'unset', categories: [], tags: [] },

    decide(command, state) {
      if (command instanceof AdoptTags && state.status === 'set') return [];
      const { entityType, entityId, categories = state.categories, tags = state.tags } = said(command);
      const next = { categories: ordered(categories), tags: ordered(tags) };
      if (isDeepStrictEqual(next, { categories: state.categories, tags: state.tags })) return [];
      return [{ type: 'EntityTaxonomyReplacedEvent', data: { entityType, entityId, ...next } }];
    },

    evolve(_state, { data: { categories, tags } }) {
      return { status: 'set', categories, tags };
    },
  };

function said(command: EntityTaxonomyCommand): ReplaceTaxonomy['payload'] {
  return command.payload;
}

function ordered(selected: Selected): Selected {
  return selected.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)));
}

/** The categories and tags of a thing in one row, so that its history can be kept. */
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
  /** Name of a global one when it was selected. */
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
  /** Name of a global one when it was selected. */
  readonly global_name: string | null;
}

export const entityTagRows = tableOf<EntityTagRow>(
  'entity_tag_t',
  ['host_id', 'entity_type', 'entity_id', 'tag_id'],
  { host_id: 'uuid', entity_type: 'text', entity_id: 'uuid', tag_id: 'uuid', global_name: 'text' },
);

type Recorded = RecordedEvent & EntityTaxonomyEvent;

export const entityTaxonomyProjection: Projection = {
  name: 'entity-taxonomies',
  tables: ['entity_taxonomy_t', 'entity_taxonomy_history_t', 'entity_category_t', 'entity_tag_t'],
  handles: ['EntityTaxonomyReplacedEvent'] satisfies readonly EntityTaxonomyEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly Recorded[];
    const things = new RowChanges<EntityTaxonomyRow>(entityTaxonomyRows);
    for (const event of events) {
      const { entityType, entityId, categories, tags } = event.data;
      const key = { host_id: event.host, entity_type: entityType, entity_id: entityId };
      things.set(key, { categories, tags, ...auditOf(event) }, true);
    }
    // Each event holds the whole selection, so lists are filtered by the last one of a thing in the batch.
    const last = new Map(events.map((event) => [event.aggregateid, event]));
    removeSelected(tx, [...last.values()]);
    const categories = new RowChanges<EntityCategoryRow>(entityCategoryRows);
    const tags = new RowChanges<EntityTagRow>(entityTagRows);
    for (const event of last.values()) {
      const { entityType, entityId } = event.data;
      const key = { host_id: event.host, entity_type: entityType, entity_id: entityId };
      for (const { id, globalName } of event.data.categories) {
        categories.set({ ...key, category_id: id }, { global_name: globalName }, true);
      }
      for (const { id, globalName } of event.data.tags) {
        tags.set({ ...key, tag_id: id }, { global_name: globalName }, true);
      }
    }
    things.write(tx);
    categories.write(tx);
    tags.write(tx);
  },
};

function removeSelected(tx: Transaction, events: readonly Recorded[]): void {
  const parameters = [
    events[0]?.host,
    events.map(({ data }) => data.entityType),
    events.map(({ data }) => data.entityId),
  ];
  for (const table of ['entity_category_t', 'entity_tag_t']) {
    tx.send(
      `DELETE FROM ${table} AS s USING unnest($2::text[], $3::uuid[]) AS g (entity_type, entity_id)
       WHERE s.host_id = $1 AND s.entity_type = g.entity_type AND s.entity_id = g.entity_id`,
      parameters,
    );
  }
}
