/** What the assignment of a skill to an agent holds, and the rules about it. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { loosensLimit, type Tier } from '../platform/auth/sensitivity-tier.js';
import { line } from '../platform/http/schemas.js';
import { field, type Given, type Values } from '../platform/records/fields.js';
import type { SkillFacts } from '../skills/public.js';

/** Limits of an assignment on the skill's tools; each only narrows. */
const config = {
  title: 'AgentSkillConfig',
  type: 'object',
  additionalProperties: false,
  properties: {
    maxSensitivityTier: {
      type: 'string',
      enum: ['public', 'internal', 'confidential', 'restricted'],
      description:
        'Tools of the skill above it are withheld from this agent. Raising or clearing it needs catalog:admin.',
    },
    domains: {
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: line(128),
      description: 'Where it names some: only tools of these domains, or below one of them by a dot.',
    },
    semanticNamespaces: {
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: line(128),
      description: 'The same for semantic namespaces.',
    },
  },
  default: {},
} as const;

const int32 = { type: 'integer', minimum: -2_147_483_648, maximum: 2_147_483_647, default: 0 } as const;

export const agentSkillFields = {
  config: field({ sql: 'jsonb', shown: config, stored: { type: 'object' } }),
  priority: field({
    sql: 'integer',
    shown: { ...int32, description: 'Ranking weight: the higher, the earlier.' },
    stored: { type: 'integer' },
  }),
  sequenceId: field({
    sql: 'integer',
    shown: {
      ...int32,
      description: 'Place in the catalog, ascending; equal ones come by priority, then by name.',
    },
    stored: { type: 'integer' },
  }),
};

/** The terms of an assignment as requests give them. */
export type AssignmentBody = Given<typeof agentSkillFields>;
export type AssignmentTerms = Values<typeof agentSkillFields>;

/** An assignment as it is, or as it was when it was taken away. */
export interface FormerAssignment {
  readonly active: boolean;
  readonly terms: AssignmentTerms;
}

/** Why a skill can't be assigned: `code` is stable, `message` is for people. */
export interface AssignmentProblem {
  readonly code: (typeof assignmentProblems)[number];
  readonly message: string;
}
export const assignmentProblems = [
  'skill_not_found',
  'skill_inactive',
  'skill_without_active_tool',
  'already_assigned',
  'insufficient_scope',
] as const;

/**
 * Lists why a skill can't be assigned, in a fixed order: an assignment is written only while the skill is active and has an
 * active tool (docs/contract.md, section 6).
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

/** Whether the terms admit more tools than those of the assignment, current or former. */
export function loosensTerms(before: AssignmentTerms | undefined, after: Partial<AssignmentTerms>): boolean {
  if (before === undefined || after.config === undefined) return false;
  return loosensLimit(limitOf(before.config), limitOf(after.config));
}

/** Reads a limit, which the schema has checked. */
function limitOf(config: AssignmentTerms['config']): Tier | undefined {
  return config['maxSensitivityTier'] as Tier | undefined;
}

export function sameTerms(a: AssignmentTerms, b: AssignmentTerms): boolean {
  return isDeepStrictEqual(a, b);
}
