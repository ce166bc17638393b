import { eventType, type EventOf } from '../eventsourcing/event-type.js';

/** From the narrowest to the widest: what each admits says `access-level.ts`. */
export const accessLevels = ['read', 'write', 'execute'] as const;
export type AccessLevel = (typeof accessLevels)[number];

const ids = { skillId: { type: 'string' }, toolId: { type: 'string' } } as const;
const link = {
  type: 'object',
  additionalProperties: false,
  required: ['skillId', 'toolId', 'accessLevel', 'config'],
  properties: { ...ids, accessLevel: { enum: accessLevels }, config: { type: 'object' } },
} as const;

/** Also when a link that was deleted is made again. */
export const skillToolCreated = eventType({
  type: 'SkillToolCreatedEvent',
  aggregateType: 'SkillTool',
  version: 1,
  schema: link,
});

/** Carries the link as it is after the change. */
export const skillToolUpdated = eventType({
  type: 'SkillToolUpdatedEvent',
  aggregateType: 'SkillTool',
  version: 1,
  schema: link,
});

export const skillToolDeleted = eventType({
  type: 'SkillToolDeletedEvent',
  aggregateType: 'SkillTool',
  version: 1,
  schema: { type: 'object', additionalProperties: false, required: ['skillId', 'toolId'], properties: ids },
});

export type SkillToolEvent =
  EventOf<typeof skillToolCreated> | EventOf<typeof skillToolUpdated> | EventOf<typeof skillToolDeleted>;
