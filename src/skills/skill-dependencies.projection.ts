import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import { SkillDependencyRow } from './skill-dependencies.row.js';
import type { SkillDependencyEvent } from './skill-dependency.events.js';

export const skillDependencyProjection: Projection = {
  name: 'skill-dependencies',
  tables: ['skill_dependency_t', 'skill_dependency_history_t'],
  handles: [
    'SkillDependencyCreatedEvent',
    'SkillDependencyUpdatedEvent',
    'SkillDependencyDeletedEvent',
  ] satisfies readonly SkillDependencyEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & SkillDependencyEvent)[];
    const rows = new RowChanges(SkillDependencyRow);
    for (const event of events) {
      const { skillId, dependsOnSkillId } = event.data;
      const key = { host_id: event.host, skill_id: skillId, depends_on_skill_id: dependsOnSkillId };
      const present = event.type !== 'SkillDependencyDeletedEvent';
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, present);
    }
    rows.write(tx);
  },
};

function changeOf(event: SkillDependencyEvent): Partial<SkillDependencyRow> {
  if (event.type === 'SkillDependencyDeletedEvent') return { active: false };
  return { required: event.data.required, active: true };
}
