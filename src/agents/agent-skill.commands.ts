import { v5 } from 'uuid';
import { Command } from '../eventsourcing/command.js';
import type { SkillFacts } from '../skills/skill.lookup.js';

/** An assignment is an aggregate of its own, its id derived from what it joins: one per pair, also under races. */
export function agentSkillId(agentDefId: string, skillId: string): string {
  return v5(skillId, agentDefId);
}

interface Pair {
  readonly agentDefId: string;
  readonly skillId: string;
}

export interface AssignmentTerms {
  readonly config: Readonly<Record<string, unknown>>;
  readonly priority: number;
  readonly sequenceId: number;
}

/** Assigns a skill: again it changes nothing with equal terms, and is `already_assigned` with others. */
export class AssignSkill extends Command<
  Pair & { readonly terms: AssignmentTerms; readonly skill: SkillFacts | undefined }
> {
  readonly aggregateType = 'AgentSkill';
}

/** Sets the terms of an assignment, which is made where it is absent. */
export class PutAssignment extends Command<
  Pair & { readonly terms: AssignmentTerms; readonly skill: SkillFacts | undefined }
> {
  readonly aggregateType = 'AgentSkill';
}

/** Changes the terms named of an assignment that must be there. */
export class ChangeAssignment extends Command<
  Pair & { readonly terms: Partial<AssignmentTerms>; readonly skill: SkillFacts | undefined }
> {
  readonly aggregateType = 'AgentSkill';
}

/** Takes the skill from the agent, whatever the state of the skill. */
export class UnassignSkill extends Command<Pair> {
  readonly aggregateType = 'AgentSkill';
}

export type AgentSkillCommand = AssignSkill | PutAssignment | ChangeAssignment | UnassignSkill;
