import { eventType, type EventOf } from '../eventsourcing/event-type.js';

const ids = { agentDefId: { type: 'string' }, skillId: { type: 'string' } } as const;
const assignment = {
  type: 'object',
  additionalProperties: false,
  required: ['agentDefId', 'skillId', 'config', 'priority', 'sequenceId'],
  properties: {
    ...ids,
    config: { type: 'object' },
    /** Ranking weight: the higher, the earlier among equal sequence ids. */
    priority: { type: 'integer' },
    /** Place in the agent's catalog, ascending. */
    sequenceId: { type: 'integer' },
  },
} as const;

/** Also when an assignment that was deleted is made again. */
export const agentSkillCreated = eventType({
  type: 'AgentSkillCreatedEvent',
  aggregateType: 'AgentSkill',
  version: 1,
  schema: assignment,
});

/** Carries the assignment as it is after the change. */
export const agentSkillUpdated = eventType({
  type: 'AgentSkillUpdatedEvent',
  aggregateType: 'AgentSkill',
  version: 1,
  schema: assignment,
});

export const agentSkillDeleted = eventType({
  type: 'AgentSkillDeletedEvent',
  aggregateType: 'AgentSkill',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['agentDefId', 'skillId'],
    properties: ids,
  },
});

export type AgentSkillEvent =
  EventOf<typeof agentSkillCreated> | EventOf<typeof agentSkillUpdated> | EventOf<typeof agentSkillDeleted>;
