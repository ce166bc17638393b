import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { Transaction } from '../eventsourcing/sql.js';
import { auditOf, RowChanges } from '../platform/database/row-changes.js';
import {
  type EntityCategoryRow,
  entityCategoryRows,
  type EntityTagRow,
  entityTagRows,
  type EntityTaxonomyRow,
  entityTaxonomyRows,
} from './entity-taxonomies.row.js';
import type { EntityTaxonomyEvent } from './entity-taxonomy.events.js';

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
    // Each event says the whole selection: of one thing only the last in the batch is what lists are filtered by.
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
