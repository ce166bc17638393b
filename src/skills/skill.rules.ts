/** Which skill may be the parent of another. Pure. */
import { RuleBroken } from '../kernel/errors.js';

/** Facts about the parent that a skill would have. */
export interface Lineage {
  /** Ids of the parent, of its parent and so on, up to the root; empty where there is no such skill. */
  readonly lineage: readonly string[];
}

/** Throws where the parent does not exist, or is the skill itself or below it. */
export function refuseUnfitParent(skillId: string, parent: string | null, { lineage }: Lineage): void {
  if (parent === null) return;
  const pointer = '/parentSkillId';
  if (lineage.length === 0) {
    const detail = `There is no skill ${parent} to be the parent.`;
    throw new RuleBroken('parent_skill_not_found', detail, [{ pointer, detail }]);
  }
  if (!lineage.includes(skillId)) return;
  const detail = `Skill ${parent} is this skill or stands below it: ${lineage.join(' is below ')}. A skill can't stand below itself.`;
  throw new RuleBroken('skill_cycle', detail, [{ pointer, detail }]);
}
