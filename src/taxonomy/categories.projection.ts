import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { UniqueRules } from '../eventsourcing/slice.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import { CategoryRow } from './categories.row.js';
import type { CategoryEvent, NewCategoryWords } from './category.events.js';

export const categoryProjection: Projection = {
  name: 'categories',
  tables: ['category_t', 'category_history_t'],
  handles: [
    'CategoryCreatedEvent',
    'CategoryUpdatedEvent',
    'CategoryDeletedEvent',
  ] satisfies readonly CategoryEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & CategoryEvent)[];
    const rows = new RowChanges(CategoryRow);
    for (const event of events) {
      const key = { host_id: event.host, category_id: event.aggregateid };
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, event.type === 'CategoryCreatedEvent');
    }
    // Categories of one batch may pass a name on to each other: only the end counts.
    if (events.length > 1) tx.send('SET CONSTRAINTS category_name_uk DEFERRED');
    rows.write(tx);
  },
};

export const categoryUniqueRules: UniqueRules = {
  category_name_uk: {
    code: 'category_name_taken',
    detail: 'Another category below the same parent has this name already. Take another name.',
  },
};

function changeOf(event: CategoryEvent): Partial<CategoryRow> {
  if (event.type === 'CategoryDeletedEvent') return { active: false };
  const columns = columnsOf(event.data);
  return event.type === 'CategoryCreatedEvent' ? { ...columns, active: true } : columns;
}

function columnsOf(words: Partial<NewCategoryWords>): Partial<CategoryRow> {
  const { entityType, categoryName, categoryDesc, parentCategoryId } = words;
  return {
    ...(entityType !== undefined && { entity_type: entityType }),
    ...(categoryName !== undefined && { category_name: categoryName }),
    ...(categoryDesc !== undefined && { category_desc: categoryDesc }),
    ...(parentCategoryId !== undefined && { parent_category_id: parentCategoryId }),
  };
}
