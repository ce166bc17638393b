import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import {
  ActivateSkill,
  CreateSkill,
  DraftSkill,
  UpdateSkill,
  type SkillCommand,
  type SkillSurroundings,
} from './skill.commands.js';
import type { SkillEvent, SkillWords } from './skill.events.js';

export type SkillState =
  { readonly status: 'unknown' } | { readonly status: 'active' | 'inactive'; readonly words: SkillWords };
type KnownSkill = Exclude<SkillState, { readonly status: 'unknown' }>;

export const skillDecider: Decider<SkillState, SkillCommand, SkillEvent> = {
  aggregateType: 'Skill',
  initial: { status: 'unknown' },

  decide(command, state) {
    if (command instanceof CreateSkill) return created(command);
    if (command instanceof DraftSkill) return [{ type: 'SkillDraftedEvent', data: command.payload.words }];
    if (state.status === 'unknown') throw new NotFound('skill', command.aggregateId);
    if (command instanceof UpdateSkill) return updated(command, state);
    if (command instanceof ActivateSkill) {
      if (state.status === 'active') return [];
      refuseTakenName(state.words.name, command.payload.nameHeldBy);
      return [{ type: 'SkillActivatedEvent', data: {} }];
    }
    return state.status === 'active' ? [{ type: 'SkillDeactivatedEvent', data: {} }] : [];
  },

  evolve(state, event) {
    if (event.type === 'SkillCreatedEvent') return { status: 'active', words: event.data };
    if (event.type === 'SkillDraftedEvent') return { status: 'inactive', words: event.data };
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'SkillUpdatedEvent':
        return { ...state, words: { ...state.words, ...event.data } };
      case 'SkillActivatedEvent':
        return { ...state, status: 'active' };
      case 'SkillDeactivatedEvent':
        return { ...state, status: 'inactive' };
    }
  },
};

function created({ aggregateId, payload: { words, surroundings } }: CreateSkill): readonly SkillEvent[] {
  refuseTakenName(words.name, surroundings.nameHeldBy);
  refuseUnfitParent(aggregateId, words.parentSkillId, surroundings);
  return [{ type: 'SkillCreatedEvent', data: words }];
}

function updated({ aggregateId, payload }: UpdateSkill, state: KnownSkill): readonly SkillEvent[] {
  const words = changed(payload.words, state.words);
  if (words.name !== undefined && state.status === 'active') {
    refuseTakenName(words.name, payload.surroundings.nameHeldBy);
  }
  if (words.parentSkillId !== undefined) {
    refuseUnfitParent(aggregateId, words.parentSkillId, payload.surroundings);
  }
  return Object.keys(words).length === 0 ? [] : [{ type: 'SkillUpdatedEvent', data: words }];
}

function changed(said: Partial<SkillWords>, words: SkillWords): Partial<SkillWords> {
  const differs = ([word, text]: [string, unknown]): boolean => words[word as keyof SkillWords] !== text;
  return Object.fromEntries(Object.entries(said).filter(differs));
}

function refuseTakenName(name: string, holder: string | null): void {
  if (holder === null) return;
  const detail = `The active skill ${holder} is named "${name}" already. Take another name, or deactivate that skill.`;
  throw new RuleBroken('skill_name_taken', detail, [{ pointer: '/name', detail }]);
}

function refuseUnfitParent(skillId: string, parent: string | null, { lineage }: SkillSurroundings): void {
  if (parent === null) return;
  if (lineage.length === 0) {
    const detail = `There is no skill ${parent} to be the parent.`;
    throw new RuleBroken('parent_skill_not_found', detail, [{ pointer: '/parentSkillId', detail }]);
  }
  if (!lineage.includes(skillId)) return;
  const detail = `Skill ${parent} is this skill or stands below it: ${lineage.join(' is below ')}. A skill can't stand below itself.`;
  throw new RuleBroken('skill_cycle', detail, [{ pointer: '/parentSkillId', detail }]);
}
