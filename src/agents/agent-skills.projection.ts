import type { RecordedEvent } from '../eventsourcing/event.js';
import type { Projection } from '../eventsourcing/projection.js';
import { auditOf } from '../platform/database/audit-columns.js';
import { RowChanges } from '../platform/database/row-changes.js';
import type { AgentSkillEvent } from './agent-skill.events.js';
import { AgentSkillRow } from './agent-skills.row.js';

export const agentSkillProjection: Projection = {
  name: 'agent-skills',
  tables: ['agent_skill_t', 'agent_skill_history_t'],
  handles: [
    'AgentSkillCreatedEvent',
    'AgentSkillUpdatedEvent',
    'AgentSkillDeletedEvent',
  ] satisfies readonly AgentSkillEvent['type'][],

  apply(tx, recorded) {
    const events = recorded as readonly (RecordedEvent & AgentSkillEvent)[];
    const rows = new RowChanges(AgentSkillRow);
    for (const event of events) {
      const { agentDefId, skillId } = event.data;
      const key = { host_id: event.host, agent_def_id: agentDefId, skill_id: skillId };
      const assigned = event.type !== 'AgentSkillDeletedEvent';
      rows.set(key, { ...changeOf(event), ...auditOf(event) }, assigned);
    }
    rows.write(tx);
  },
};

/** An assignment that was taken away keeps its terms, inactive. */
function changeOf(event: AgentSkillEvent): Partial<AgentSkillRow> {
  if (event.type === 'AgentSkillDeletedEvent') return { active: false };
  const { config, priority, sequenceId } = event.data;
  return { config, priority, sequence_id: sequenceId, active: true };
}
