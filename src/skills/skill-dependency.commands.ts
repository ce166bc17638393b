import { v5 } from 'uuid';
import { Command } from '../eventsourcing/command.js';

/** A dependency is an aggregate of its own, its id derived from what it joins: one per pair, also under races. */
export function skillDependencyId(skillId: string, dependsOnSkillId: string): string {
  return v5(dependsOnSkillId, skillId);
}

interface Pair {
  readonly skillId: string;
  readonly dependsOnSkillId: string;
}

/** Makes a skill build on another one, or changes whether it needs it. */
export class PutDependency extends Command<
  Pair & {
    readonly required: boolean;
    /** Whether the other one is this one, or builds on it by itself or through others. */
    readonly circular: boolean;
  }
> {
  readonly aggregateType = 'SkillDependency';
}

export class DeleteDependency extends Command<Pair> {
  readonly aggregateType = 'SkillDependency';
}

export type SkillDependencyCommand = PutDependency | DeleteDependency;
