import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { UniqueRules } from '../eventsourcing/slice.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { NewTagWords, TagEvent } from './tag.events.js';
import { TagRow } from './tags.row.js';

export const tagProjection: Projection = {
  name: 'tags',
  tables: ['tag_t', 'tag_history_t'],
  handles: ['TagCreatedEvent', 'TagUpdatedEvent', 'TagDeletedEvent'] satisfies readonly TagEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & TagEvent)[];
    const rows = new RowChanges(TagRow);
    for (const event of events) {
      const key = { host_id: event.host, tag_id: event.aggregateid };
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, event.type === 'TagCreatedEvent');
    }
    // Tags of one batch may pass a name on to each other: only the end counts.
    if (events.length > 1) tx.send('SET CONSTRAINTS tag_name_uk DEFERRED');
    rows.write(tx);
  },
};

export const tagUniqueRules: UniqueRules = {
  tag_name_uk: {
    code: 'tag_name_taken',
    detail:
      'Another tag for the same kind of thing has this name already. Use that one, or take another name.',
  },
};

function changeOf(event: TagEvent): Partial<TagRow> {
  if (event.type === 'TagDeletedEvent') return { active: false };
  const columns = columnsOf(event.data);
  return event.type === 'TagCreatedEvent' ? { ...columns, active: true } : columns;
}

function columnsOf({ entityType, tagName, tagDesc }: Partial<NewTagWords>): Partial<TagRow> {
  return {
    ...(entityType !== undefined && { entity_type: entityType }),
    ...(tagName !== undefined && { tag_name: tagName }),
    ...(tagDesc !== undefined && { tag_desc: tagDesc }),
  };
}
