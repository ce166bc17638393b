import { NotFound, RuleBroken } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import { refuseLessGuarded } from '../platform/auth/claims.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { idField } from '../platform/records/fields.js';
import { link } from '../platform/records/link.js';
import { LinkReads, linkRoutes, type LinkView } from '../platform/records/link-routes.js';
import { handle, UseCase, type Writer } from '../platform/use-cases/use-case.js';
import { refuseUnsafe } from '../skills/shared.js';
import { type SkillFacts, skillFactsOf } from '../skills/public.js';
import {
  agentSkillFields,
  alreadyAssigned,
  loosensTerms,
  problemsOf,
  sameTerms,
  type AssignmentBody,
  type AssignmentProblem,
  type AssignmentTerms,
  type FormerAssignment,
} from './agent-skill.rules.js';
import { agentSkillExample, assignmentReceipt, termsExample } from './agent.examples.js';
import { requireAgent, visibleAgents } from './agents.filter.js';

export interface AssignmentEnds {
  readonly agentDefId: string;
  readonly skillId: string;
}

/** Facts for the rule of an assignment. */
export interface AssignmentFacts {
  readonly caller: Caller;
  readonly skill: SkillFacts | undefined;
  readonly former: FormerAssignment | undefined;
  /** Whether the assignment must be new or equal, must exist, or either. */
  readonly mayBe: 'new or equal' | 'there' | 'any';
}

/** A skill that an agent is assigned. */
export const agentSkill = link(
  {
    name: 'AgentSkill',
    table: 'agent_skill_t',
    ends: { agentDefId: idField, skillId: idField },
    fields: agentSkillFields,
  },
  {
    put({ agentDefId, skillId, ...terms }, current, { caller, skill, former, mayBe }: AssignmentFacts) {
      refuseLessGuarded(caller, loosensTerms(former?.terms, terms));
      if (current === null && mayBe === 'there') throw notAssigned({ agentDefId, skillId });
      if (current !== null && sameTerms(current, terms)) return;
      if (current !== null && mayBe === 'new or equal') refuse([alreadyAssigned(skillId)]);
      refuse(problemsOf(skillId, skill));
    },
    missing: notAssigned,
  },
);

function refuse([problem]: readonly AssignmentProblem[]): void {
  if (problem !== undefined) throw new RuleBroken(problem.code, problem.message);
}

function notAssigned({ agentDefId, skillId }: AssignmentEnds): NotFound {
  return new NotFound(`assignment to agent ${agentDefId} of skill`, skillId);
}

/** Assigns a skill, or sets the terms of the assignment that is there. */
export class PutAgentSkill extends UseCase<
  AssignmentEnds &
    AssignmentBody & {
      /** Refuses to change the terms of an assignment: `already_assigned`. */
      readonly keepsTerms?: true;
    }
> {}

/** Changes the given terms of an assignment, which must exist. */
export class ChangeAgentSkill extends UseCase<AssignmentEnds & Partial<AssignmentBody>> {}

/** Takes the skill from the agent, whatever the state of the skill. */
export class RemoveAgentSkill extends UseCase<AssignmentEnds> {}

export const agentSkillHandlers = [
  handle(PutAgentSkill, {
    check: ({ config }, writer) => refuseUnsafe({ config }, writer),
    load: loadAssignment,
    decide: (facts, { agentDefId, skillId, config, priority, sequenceId, keepsTerms }, { visibility }) => {
      const values = { agentDefId, skillId, config, priority, sequenceId };
      const mayBe = keepsTerms ? 'new or equal' : 'any';
      return [agentSkill.put(visibility.hostId, values, { ...facts, mayBe })];
    },
  }),
  handle(ChangeAgentSkill, {
    check: ({ config }, writer) => refuseUnsafe({ config }, writer),
    load: loadAssignment,
    decide: (facts, { agentDefId, skillId, ...change }, { visibility }) => {
      const { config, priority, sequenceId } = { ...noTerms, ...facts.former?.terms, ...change };
      const values = { agentDefId, skillId, config, priority, sequenceId };
      return [agentSkill.put(visibility.hostId, values, { ...facts, mayBe: 'there' })];
    },
  }),
  handle(RemoveAgentSkill, {
    load: loadAssignment,
    decide: (_facts, { agentDefId, skillId }, { visibility }) => [
      agentSkill.remove(visibility.hostId, { agentDefId, skillId }, undefined),
    ],
  }),
];

/** Stands in for the terms of an assignment that never existed, which is then refused. */
const noTerms: AssignmentTerms = { config: {}, priority: 0, sequenceId: 0 };

/** Throws NotFound for an agent or a skill that the token does not reach. */
async function loadAssignment(sql: Sql, { agentDefId, skillId }: AssignmentEnds, writer: Writer) {
  const { caller, visibility } = writer;
  await requireAgent(sql, visibility, agentDefId);
  const skill = (await skillsSeen(sql, visibility, [skillId])).get(skillId);
  if (skill === undefined) throw new NotFound('skill', skillId);
  const former = await formerAssignments(sql, visibility.hostId, agentDefId, [skillId]);
  return { caller, skill, former: former.get(skillId) };
}

/** Loads the assignments that the agent has or had, by skill; only those of the skills given, where some are. */
export async function formerAssignments(
  sql: Sql,
  hostId: string,
  agentDefId: string,
  skillIds: readonly string[] | null = null,
): Promise<ReadonlyMap<string, FormerAssignment>> {
  const rows = await sql.query<AssignmentTerms & { readonly skillId: string; readonly active: boolean }>(
    `SELECT skill_id AS "skillId", active, config, priority, sequence_id AS "sequenceId" FROM agent_skill_t
     WHERE host_id = $1 AND agent_def_id = $2 AND ($3::uuid[] IS NULL OR skill_id = ANY($3::uuid[]))
     ORDER BY skill_id`,
    [hostId, agentDefId, skillIds],
  );
  return new Map(rows.map(({ skillId, active, ...terms }) => [skillId, { active, terms }]));
}

/** Loads the facts of the skills that exist and that the token reaches. */
export async function skillsSeen(
  sql: Sql,
  { hostId, within }: Visibility,
  skillIds: readonly string[],
): Promise<ReadonlyMap<string, SkillFacts>> {
  const seen = skillIds.filter((skillId) => within === undefined || within.skillIds.includes(skillId));
  return skillFactsOf(sql, hostId, seen);
}

/** Shows an assignment to who sees the agent, and to an agent's token where it is given the skill. */
const view: LinkView = {
  join: `JOIN agent_read a ON a.host_id = l.host_id AND a.agent_def_id = l.agent_def_id
         JOIN skill_read s ON s.host_id = l.host_id AND s.skill_id = l.skill_id`,
  select: `a.service_id, a.env_tag, s.name AS skill_name, s.active AS skill_active, EXISTS (
             SELECT FROM skill_tool_read k JOIN tool_read t ON t.host_id = k.host_id AND t.tool_id = k.tool_id
             WHERE k.host_id = l.host_id AND k.skill_id = l.skill_id AND k.active AND t.active
           ) AS skill_has_active_tool`,
  shows: {
    skillName: { type: 'string' },
    skillActive: {
      type: 'boolean',
      description: 'False: the skill is assigned, and the agent is not given it.',
    },
    skillHasActiveTool: {
      type: 'boolean',
      description: 'False: the assignment is kept, and there is nothing in it to give to the agent.',
    },
  },
  orderBy: 'skillName',
  async requireParent(sql, visibility, agentDefId) {
    const where = visibleAgents(visibility).add('agent_def_id = ?', agentDefId);
    const found = await sql.query(`SELECT FROM agent_read ${where.sql()}`, where.values);
    if (found.length === 0) throw new NotFound('agent', agentDefId);
  },
  visible(visibility) {
    const where = visibleAgents(visibility);
    const { within } = visibility;
    return within === undefined ? where : where.add('skill_id = ANY(?::uuid[])', within.skillIds);
  },
};

export const agentSkillReads = new LinkReads(agentSkill, view);

export const agentSkillRoutes = linkRoutes(agentSkillReads, {
  path: 'agents/:agentDefId/skills',
  operations: { one: 'AgentSkill', many: 'AgentSkills' },
  list: { summary: 'List the skills of an agent', description: 'Ordered by the name of the skill.' },
  get: {
    summary: 'Get a skill of an agent',
    description: '404 where the skill is not assigned, or where the assignment was taken away.',
  },
  put: {
    useCase: PutAgentSkill,
    summary: 'Assign a skill to an agent, or set the terms of the assignment',
    description:
      'Writes the whole assignment: 201 where it is new. Refused with `skill_inactive` and ' +
      '`skill_without_active_tool`.',
  },
  delete: {
    useCase: RemoveAgentSkill,
    summary: 'Take a skill from an agent',
    description: 'Whatever the state of the skill.',
  },
  example: { body: termsExample, answer: agentSkillExample, receipt: assignmentReceipt },
});
