import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../../eventsourcing/decider.js';
import type { ReplaceSkillFolder } from './skill-folder.commands.js';
import type { SkillFolderEvent, StoredFolder } from './skill-folder.events.js';

/** Null for a skill that never was a folder. */
export const skillFolderDecider: Decider<StoredFolder | null, ReplaceSkillFolder, SkillFolderEvent> = {
  aggregateType: 'SkillFolder',
  initial: null,

  decide({ payload }, state) {
    return isDeepStrictEqual(state, payload) ? [] : [{ type: 'SkillFolderReplacedEvent', data: payload }];
  },

  evolve(_state, event) {
    return event.data;
  },
};
