import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { PutDependency, type SkillDependencyCommand } from './skill-dependency.commands.js';
import type { SkillDependencyEvent } from './skill-dependency.events.js';

export type SkillDependencyState =
  { readonly status: 'absent' } | { readonly status: 'present'; readonly required: boolean };

export const skillDependencyDecider: Decider<
  SkillDependencyState,
  SkillDependencyCommand,
  SkillDependencyEvent
> = {
  aggregateType: 'SkillDependency',
  initial: { status: 'absent' },

  decide(command, state) {
    const { skillId, dependsOnSkillId } = command.payload;
    if (command instanceof PutDependency) {
      const { required, circular } = command.payload;
      const data = { skillId, dependsOnSkillId, required };
      if (state.status === 'present') {
        return state.required === required ? [] : [{ type: 'SkillDependencyUpdatedEvent', data }];
      }
      if (circular) throw cycle(skillId, dependsOnSkillId);
      return [{ type: 'SkillDependencyCreatedEvent', data }];
    }
    if (state.status === 'absent') {
      throw new NotFound(`dependency of skill ${skillId} on skill`, dependsOnSkillId);
    }
    return [{ type: 'SkillDependencyDeletedEvent', data: { skillId, dependsOnSkillId } }];
  },

  evolve(_state, event) {
    if (event.type === 'SkillDependencyDeletedEvent') return { status: 'absent' };
    return { status: 'present', required: event.data.required };
  },
};

function cycle(skillId: string, dependsOnSkillId: string): RuleBroken {
  const detail =
    skillId === dependsOnSkillId
      ? `Skill ${skillId} can't depend on itself.`
      : `Skill ${dependsOnSkillId} depends on skill ${skillId} already, by itself or through others. Take that away first.`;
  return new RuleBroken('skill_cycle', detail);
}
