import { eventType, type EventOf } from '../eventsourcing/event-type.js';

const words = {
  name: { type: 'string' },
  description: { type: 'string' },
  /** The instructions that an agent is given. */
  contentMarkdown: { type: 'string' },
  /** Semantic version, given by the author. */
  version: { type: 'string' },
  parentSkillId: { type: ['string', 'null'] },
} as const;

export const skillCreated = eventType({
  type: 'SkillCreatedEvent',
  aggregateType: 'Skill',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'description', 'contentMarkdown', 'version', 'parentSkillId'],
    properties: words,
  },
});

/** Made inactive: to be looked through, and then activated. */
export const skillDrafted = eventType({
  type: 'SkillDraftedEvent',
  aggregateType: 'Skill',
  version: 1,
  schema: skillCreated.schema,
});

/** Carries what has changed, as it is after the change. */
export const skillUpdated = eventType({
  type: 'SkillUpdatedEvent',
  aggregateType: 'Skill',
  version: 1,
  schema: { type: 'object', additionalProperties: false, minProperties: 1, properties: words },
});

export const skillActivated = eventType({
  type: 'SkillActivatedEvent',
  aggregateType: 'Skill',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export const skillDeactivated = eventType({
  type: 'SkillDeactivatedEvent',
  aggregateType: 'Skill',
  version: 1,
  schema: { type: 'object', additionalProperties: false },
});

export type SkillWords = EventOf<typeof skillCreated>['data'];
export type SkillEvent =
  | EventOf<typeof skillCreated>
  | EventOf<typeof skillDrafted>
  | EventOf<typeof skillUpdated>
  | EventOf<typeof skillActivated>
  | EventOf<typeof skillDeactivated>;
