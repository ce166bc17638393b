import { Command } from '../../eventsourcing/command.js';
import type { StoredFolder } from './skill-folder.events.js';

/** Keeps what came with a skill that was imported as a folder. The aggregate id is the skill's. */
export class ReplaceSkillFolder extends Command<StoredFolder> {
  readonly aggregateType = 'SkillFolder';
}
