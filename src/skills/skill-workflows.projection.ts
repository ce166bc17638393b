import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { UniqueRules } from '../eventsourcing/slice.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { SkillWorkflowEvent } from './skill-workflow.events.js';
import { SkillWorkflowRow } from './skill-workflows.row.js';

export const skillWorkflowProjection: Projection = {
  name: 'skill-workflows',
  tables: ['skill_workflow_t', 'skill_workflow_history_t'],
  handles: [
    'SkillWorkflowCreatedEvent',
    'SkillWorkflowUpdatedEvent',
    'SkillWorkflowDeletedEvent',
  ] satisfies readonly SkillWorkflowEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & SkillWorkflowEvent)[];
    const rows = new RowChanges(SkillWorkflowRow);
    for (const event of events) {
      const { skillId, wfDefId, workflowRole } = event.data;
      const key = { host_id: event.host, skill_id: skillId, wf_def_id: wfDefId, workflow_role: workflowRole };
      const linked = event.type !== 'SkillWorkflowDeletedEvent';
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, linked);
    }
    // One primary workflow may follow another within a batch: only the end counts.
    if (events.length > 1) tx.send('SET CONSTRAINTS skill_workflow_primary_uk DEFERRED');
    rows.write(tx);
  },
};

/** The rule that a race could break is kept by the table as well. */
export const skillWorkflowUniqueRules: UniqueRules = {
  skill_workflow_primary_uk: {
    code: 'primary_workflow_taken',
    detail: 'The skill has a primary workflow already. Take that one away first, or give another role.',
  },
};

/** A link that was taken away keeps its words, inactive. */
function changeOf(event: SkillWorkflowEvent): Partial<SkillWorkflowRow> {
  if (event.type === 'SkillWorkflowDeletedEvent') return { active: false };
  return { start_mode: event.data.startMode, config: event.data.config, active: true };
}
