import { Command } from '../eventsourcing/command.js';
import type { SkillWords } from './skill.events.js';

/** What the rules of a skill must know of the other skills of its host. */
export interface SkillSurroundings {
  /** The other active skill that has the name which this one would have. */
  readonly nameHeldBy: string | null;
  /** The parent that it would have, then that one's parent, up to the root; empty where there is no such skill. */
  readonly lineage: readonly string[];
}

/** The aggregate id is a fresh UUID v7. */
export class CreateSkill extends Command<{
  readonly words: SkillWords;
  readonly surroundings: SkillSurroundings;
}> {
  readonly aggregateType = 'Skill';
  override readonly birth = true;
}

/** Makes it inactive: its name may be another's until it is activated. The aggregate id is a fresh UUID v7. */
export class DraftSkill extends Command<{ readonly words: SkillWords }> {
  readonly aggregateType = 'Skill';
  override readonly birth = true;
}

/** A word left out is unchanged. */
export class UpdateSkill extends Command<{
  readonly words: Partial<SkillWords>;
  readonly surroundings: SkillSurroundings;
}> {
  readonly aggregateType = 'Skill';
}

export class ActivateSkill extends Command<Pick<SkillSurroundings, 'nameHeldBy'>> {
  readonly aggregateType = 'Skill';
}

/** Allowed whatever leans on the skill: its assignments stay, and the agents are no longer given it. */
export class DeactivateSkill extends Command<Record<never, never>> {
  readonly aggregateType = 'Skill';
}

export type SkillCommand = CreateSkill | DraftSkill | UpdateSkill | ActivateSkill | DeactivateSkill;
