import { eventType, type EventOf } from '../eventsourcing/event-type.js';

const ids = { skillId: { type: 'string' }, dependsOnSkillId: { type: 'string' } } as const;
const dependency = {
  type: 'object',
  additionalProperties: false,
  required: ['skillId', 'dependsOnSkillId', 'required'],
  properties: {
    ...ids,
    /** Whether the skill is of no use to an agent that is not given the other one. */
    required: { type: 'boolean' },
  },
} as const;

/** Also when a dependency that was deleted is made again. */
export const skillDependencyCreated = eventType({
  type: 'SkillDependencyCreatedEvent',
  aggregateType: 'SkillDependency',
  version: 1,
  schema: dependency,
});

/** Carries the dependency as it is after the change. */
export const skillDependencyUpdated = eventType({
  type: 'SkillDependencyUpdatedEvent',
  aggregateType: 'SkillDependency',
  version: 1,
  schema: dependency,
});

export const skillDependencyDeleted = eventType({
  type: 'SkillDependencyDeletedEvent',
  aggregateType: 'SkillDependency',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['skillId', 'dependsOnSkillId'],
    properties: ids,
  },
});

export type SkillDependencyEvent =
  | EventOf<typeof skillDependencyCreated>
  | EventOf<typeof skillDependencyUpdated>
  | EventOf<typeof skillDependencyDeleted>;
