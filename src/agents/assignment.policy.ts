import { isDeepStrictEqual } from 'node:util';
import { loosensLimit, type Tier } from '../platform/auth/sensitivity-tier.js';
import type { SkillFacts } from '../skills/skill.lookup.js';
import type { AssignmentTerms } from './agent-skill.commands.js';

/** Why a skill can't be assigned: `code` is stable, `message` is for people. */
export interface AssignmentProblem {
  readonly code:
    | 'skill_not_found'
    | 'skill_inactive'
    | 'skill_without_active_tool'
    | 'already_assigned'
    | 'insufficient_scope';
  readonly message: string;
}

/**
 * The rule of assignment (contract 6): a skill is assigned, changed or
 * assigned again only while it is active and has an active tool of its own. Every problem, in a fixed order.
 */
export function problemsOf(skillId: string, skill: SkillFacts | undefined): readonly AssignmentProblem[] {
  if (skill === undefined) {
    return [{ code: 'skill_not_found', message: `There is no skill ${skillId}.` }];
  }
  const problems: AssignmentProblem[] = [];
  if (!skill.active) {
    problems.push({
      code: 'skill_inactive',
      message: `The skill "${skill.name}" is inactive. Activate it first.`,
    });
  }
  if (!skill.hasActiveTool) {
    const message = `The skill "${skill.name}" has no active tool. Link one, or activate one that it has.`;
    problems.push({ code: 'skill_without_active_tool', message });
  }
  return problems;
}

export function alreadyAssigned(skillId: string): AssignmentProblem {
  const message = `The skill ${skillId} is assigned to this agent already, on other terms. Change them with PUT or PATCH, or by a command that names the expectedVersion.`;
  return { code: 'already_assigned', message };
}

export function needsAdministrator(skillId: string): AssignmentProblem {
  const message = `Raising or clearing the maxSensitivityTier of the skill ${skillId} needs the scope catalog:admin.`;
  return { code: 'insufficient_scope', message };
}

/** Whether the terms let more tools through than the assignment does, or did before it was taken away. */
export function loosensTerms(before: AssignmentTerms | undefined, after: Partial<AssignmentTerms>): boolean {
  if (before === undefined || after.config === undefined) return false;
  return loosensLimit(limitOf(before.config), limitOf(after.config));
}

/** Checked by the schema when it was written. */
function limitOf(config: AssignmentTerms['config']): Tier | undefined {
  return config['maxSensitivityTier'] as Tier | undefined;
}

export function sameTerms(a: AssignmentTerms, b: AssignmentTerms): boolean {
  return isDeepStrictEqual(a, b);
}
