import type { RecordedEvent } from '../../eventsourcing/event.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { auditOf, RowChanges } from '../../platform/database/row-changes.js';
import type { SkillFolderEvent } from './skill-folder.events.js';
import { type SkillFolderRow, skillFolderRows } from './skill-folders.row.js';

export const skillFolderProjection: Projection = {
  name: 'skill-folders',
  tables: ['skill_folder_t'],
  handles: ['SkillFolderReplacedEvent'] satisfies readonly SkillFolderEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & SkillFolderEvent)[];
    const rows = new RowChanges<SkillFolderRow>(skillFolderRows);
    for (const event of events) {
      const key = { host_id: event.host, skill_id: event.aggregateid };
      rows.set(key, { ...event.data, ...auditOf(event) }, true);
    }
    rows.write(tx);
  },
};
