import type { Command } from '../../kernel/command.js';
import { NotFound, RuleBroken } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { field, idField } from '../../platform/records/fields.js';
import { link } from '../../platform/records/link.js';
import { LinkReads, linkRoutes, type LinkView } from '../../platform/records/link-routes.js';
import { handle, UseCase } from '../../platform/use-cases/use-case.js';
import { documentedDependencies } from '../documents/skill-document.lookup.js';
import { dependencyReceipt, skillDependencyExample } from '../skill.examples.js';
import { refuseUnseen, requireSkill } from '../skill.lookup.js';

interface Ends {
  readonly skillId: string;
  readonly dependsOnSkillId: string;
}

/** Facts about the two skills of a dependency. */
interface DependencyFacts {
  readonly skillKnown: boolean;
  readonly targetKnown: boolean;
  /** Whether the other skill is this one, or depends on it by itself or through others. */
  readonly circular: boolean;
}

/** The dependency of a skill on another. */
export const skillDependency = link(
  {
    name: 'SkillDependency',
    table: 'skill_dependency_t',
    ends: { skillId: idField, dependsOnSkillId: idField },
    fields: {
      required: field({
        sql: 'boolean',
        shown: {
          type: 'boolean',
          description: 'True: where the agent is not given the other skill, this one is withheld from it.',
        },
        stored: { type: 'boolean' },
      }),
    },
  },
  {
    put({ skillId, dependsOnSkillId }, current, { circular }: Pick<DependencyFacts, 'circular'>) {
      if (current === null && circular) throw cycle(skillId, dependsOnSkillId);
    },
    missing: ({ skillId, dependsOnSkillId }) =>
      new NotFound(`dependency of skill ${skillId} on skill`, dependsOnSkillId),
  },
);

function cycle(skillId: string, dependsOnSkillId: string): RuleBroken {
  const detail =
    skillId === dependsOnSkillId
      ? `Skill ${skillId} can't depend on itself.`
      : `Skill ${dependsOnSkillId} depends on skill ${skillId} already, by itself or through others. Remove that dependency first.`;
  return new RuleBroken('skill_cycle', detail);
}

/** Makes a skill depend on another, or changes whether it needs it. */
export class PutSkillDependency extends UseCase<Ends & { readonly required: boolean }> {}

export class RemoveSkillDependency extends UseCase<Ends> {}

export const skillDependencyHandlers = [
  handle(PutSkillDependency, {
    load: reachableFacts,
    decide: (facts, input, { visibility }) => [skillDependency.put(visibility.hostId, input, facts)],
  }),
  handle(RemoveSkillDependency, {
    load: reachableFacts,
    decide: (_facts, input, { visibility }) => [skillDependency.remove(visibility.hostId, input, undefined)],
  }),
];

async function reachableFacts(
  sql: Sql,
  { skillId, dependsOnSkillId }: Ends,
  { visibility }: { readonly visibility: Visibility },
): Promise<DependencyFacts> {
  refuseUnseen(visibility, skillId);
  refuseUnseen(visibility, dependsOnSkillId);
  const facts = await dependencyFactsOf(sql, visibility.hostId, skillId, dependsOnSkillId);
  if (!facts.skillKnown) throw new NotFound('skill', skillId);
  if (!facts.targetKnown) throw new NotFound('skill', dependsOnSkillId);
  return facts;
}

/** Loads the facts; a circle through inactive skills counts, since they may be activated again. */
async function dependencyFactsOf(
  sql: Sql,
  hostId: string,
  skillId: string,
  dependsOnSkillId: string,
): Promise<DependencyFacts> {
  const [row] = await sql.query<DependencyFacts>(
    `WITH RECURSIVE reached (skill_id) AS (
       SELECT $3::uuid
       UNION
       SELECT d.depends_on_skill_id FROM reached r
       JOIN skill_dependency_t d ON d.host_id = $1 AND d.skill_id = r.skill_id AND d.active)
     SELECT EXISTS (SELECT FROM skill_t WHERE host_id = $1 AND skill_id = $2) AS "skillKnown",
            EXISTS (SELECT FROM skill_t WHERE host_id = $1 AND skill_id = $3) AS "targetKnown",
            $2::uuid IN (SELECT skill_id FROM reached) AS circular`,
    [hostId, skillId, dependsOnSkillId],
  );
  if (row === undefined) throw new Error('A select without FROM gives one row.');
  return row;
}

/** Plans the dependencies that a skill shall have, by id of the other skill; all others are removed. */
export async function planDependencies(
  sql: Sql,
  { visibility: { hostId }, skillId }: { readonly visibility: Visibility; readonly skillId: string },
  wanted: ReadonlyMap<string, boolean>,
): Promise<Command[]> {
  const present = await documentedDependencies(sql, hostId, skillId);
  const commands: Command[] = present
    .map((dependency) => dependency.skillId)
    .filter((id) => !wanted.has(id))
    .map((dependsOnSkillId) => skillDependency.remove(hostId, { skillId, dependsOnSkillId }, undefined));
  for (const [dependsOnSkillId, required] of wanted) {
    const facts = await dependencyFactsOf(sql, hostId, skillId, dependsOnSkillId);
    commands.push(skillDependency.put(hostId, { skillId, dependsOnSkillId, required }, facts));
  }
  return commands;
}

/** Shows a dependency to who sees the skill at its other end. */
const view: LinkView = {
  join: 'JOIN skill_t s ON s.host_id = l.host_id AND s.skill_id = l.depends_on_skill_id',
  select: 's.name AS skill_name, s.active AS skill_active',
  shows: {
    skillName: { type: 'string', description: 'Of the skill that it depends on.' },
    skillActive: { type: 'boolean', description: 'Whether that skill is active.' },
  },
  orderBy: 'skillName',
  requireParent: requireSkill,
  visible: (visibility, skillId) =>
    visibleRows(visibility, {
      limits: [],
      confined: ['depends_on_skill_id', ({ links }) => links.get(skillId)?.dependsOn ?? []],
    }),
};

export const skillDependencyReads = new LinkReads(skillDependency, view);

export const skillDependencyRoutes = linkRoutes(skillDependencyReads, {
  path: 'skills/:skillId/dependencies',
  operations: { one: 'SkillDependency', many: 'SkillDependencies' },
  list: { summary: 'List the skills that a skill depends on', description: 'Ordered by their name.' },
  get: {
    summary: 'Get a dependency of a skill',
    description: '404 where there is none, or where it was removed.',
  },
  put: {
    useCase: PutSkillDependency,
    summary: 'Make a skill depend on another',
    description:
      '201 where it is new. The other skill may be inactive: then what needs it is withheld. Refused with ' +
      '`skill_cycle` where the other one depends on this one, by itself or through others.',
  },
  delete: {
    useCase: RemoveSkillDependency,
    summary: 'Remove a dependency of a skill',
  },
  example: { body: { required: true }, answer: skillDependencyExample, receipt: dependencyReceipt },
});
