import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { SkillToolEvent } from './skill-tool.events.js';
import { SkillToolRow } from './skill-tools.row.js';

export const skillToolProjection: Projection = {
  name: 'skill-tools',
  tables: ['skill_tool_t', 'skill_tool_history_t'],
  handles: [
    'SkillToolCreatedEvent',
    'SkillToolUpdatedEvent',
    'SkillToolDeletedEvent',
  ] satisfies readonly SkillToolEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & SkillToolEvent)[];
    const rows = new RowChanges(SkillToolRow);
    for (const event of events) {
      const { skillId, toolId } = event.data;
      const key = { host_id: event.host, skill_id: skillId, tool_id: toolId };
      const linked = event.type !== 'SkillToolDeletedEvent';
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, linked);
    }
    rows.write(tx);
  },
};

/** A link that was taken away keeps its words, inactive. */
function changeOf(event: SkillToolEvent): Partial<SkillToolRow> {
  if (event.type === 'SkillToolDeletedEvent') return { active: false };
  return { access_level: event.data.accessLevel, config: event.data.config, active: true };
}
