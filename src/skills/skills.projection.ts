import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import type { UniqueRules } from '../eventsourcing/slice.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { SkillEvent, SkillWords } from './skill.events.js';
import { SkillRow } from './skills.row.js';

export const skillProjection: Projection = {
  name: 'skills',
  tables: ['skill_t', 'skill_history_t'],
  handles: [
    'SkillCreatedEvent',
    'SkillDraftedEvent',
    'SkillUpdatedEvent',
    'SkillActivatedEvent',
    'SkillDeactivatedEvent',
  ] satisfies readonly SkillEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & SkillEvent)[];
    const rows = new RowChanges(SkillRow);
    for (const event of events) {
      const key = { host_id: event.host, skill_id: event.aggregateid };
      const isNew = event.type === 'SkillCreatedEvent' || event.type === 'SkillDraftedEvent';
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, isNew);
    }
    // Skills of one batch may pass a name on to each other: only the end counts.
    if (events.length > 1) tx.send('SET CONSTRAINTS skill_active_name_uk DEFERRED');
    rows.write(tx);
  },
};

/** The rule that a race could break is kept by the table as well. */
export const skillUniqueRules: UniqueRules = {
  skill_active_name_uk: {
    code: 'skill_name_taken',
    detail: 'Another active skill has this name already. Take another name, or deactivate that skill.',
  },
};

function changeOf(event: SkillEvent): Partial<SkillRow> {
  switch (event.type) {
    case 'SkillCreatedEvent':
      return { ...columnsOf(event.data), active: true };
    case 'SkillDraftedEvent':
      return { ...columnsOf(event.data), active: false };
    case 'SkillUpdatedEvent':
      return columnsOf(event.data);
    case 'SkillActivatedEvent':
      return { active: true };
    case 'SkillDeactivatedEvent':
      return { active: false };
  }
}

function columnsOf(words: Partial<SkillWords>): Partial<SkillRow> {
  const { contentMarkdown, parentSkillId, ...same } = words;
  return {
    ...same,
    ...(contentMarkdown !== undefined && { content_markdown: contentMarkdown }),
    ...(parentSkillId !== undefined && { parent_skill_id: parentSkillId }),
  };
}
