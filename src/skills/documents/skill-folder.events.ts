import { eventType, type EventOf } from '../../eventsourcing/event-type.js';

/** What came with a skill that was imported as a folder; the aggregate id is the skill's. */
export const skillFolderReplaced = eventType({
  type: 'SkillFolderReplacedEvent',
  aggregateType: 'SkillFolder',
  version: 1,
  touches: 'nobody',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['head', 'files'],
    properties: {
      /** Frontmatter of SKILL.md with its fences, as it was written. */
      head: { type: 'string' },
      files: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['path', 'base64'],
          properties: { path: { type: 'string' }, base64: { type: 'string' } },
        },
      },
    },
  },
});

export type SkillFolderEvent = EventOf<typeof skillFolderReplaced>;
export type StoredFolder = SkillFolderEvent['data'];
