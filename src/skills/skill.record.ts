import { type Deactivated, deactivation } from '../endpoints/public.js';
import { foldedText } from '../documents/folded-text.js';
import type { Sql } from '../kernel/sql.js';
import { idField, type New } from '../platform/records/fields.js';
import { recordHandlers } from '../platform/records/record-handlers.js';
import { record, type Held } from '../platform/records/record.js';
import { type Classification, planSelection, type Selection, taxonomyOf } from '../taxonomy/public.js';
import { UseCase } from '../platform/use-cases/use-case.js';
import { refuseUnsafe } from './skill-safety.js';
import { skillExampleId } from './skill.examples.js';
import { skillFields, type SkillFields } from './skill.fields.js';
import { refuseUnfitParent, type Lineage } from './skill.rules.js';
import { refuseUnseen, requireSkill } from './skill.lookup.js';

/** Instructions for agents. An inactive skill keeps its links and assignments, and no agent is given it. */
export const skill = record(
  {
    name: 'Skill',
    noun: 'skill',
    table: 'skill_t',
    id: { skillId: idField },
    fixed: {},
    fields: skillFields,
    derived: { nameFolded: { sql: 'text', from: 'name', of: foldedText } },
    lifecycle: 'switched',
    touches: 'itself',
    drafts: true,
    unique: {
      constraint: 'skill_active_name_uk',
      by: ['name'],
      folded: { name: 'nameFolded' },
      among: 'active',
      code: 'skill_name_taken',
      pointer: 'name',
      detail: (_, [name]) =>
        `There is an active skill "${String(name)}" already. Take another name, or deactivate that one.`,
      raced: 'Another active skill has this name already. Take another name, or deactivate that skill.',
    },
  },
  {
    write({ id, changed: { parentSkillId = null } }, facts: Lineage) {
      refuseUnfitParent(id, parentSkillId, facts);
    },
  },
);

interface Id {
  readonly skillId: string;
}

/** A skill and what it is classified as are two aggregates, written by one request. */
export class CreateSkill extends UseCase<New<typeof skillFields> & Selection> {}
export class UpdateSkill extends UseCase<Id & Partial<SkillFields> & Selection> {}
export class ActivateSkill extends UseCase<Id> {}
export class PutSkillTaxonomy extends UseCase<Classification<'skillId'>> {}
export class DeactivateSkill extends UseCase<Id, Deactivated> {}

export const skillTaxonomy = taxonomyOf({
  ...{ entityType: 'skill', path: 'skills/:skillId', id: 'skillId', exampleId: skillExampleId },
  ...{ useCase: PutSkillTaxonomy, requireSeen: requireSkill },
});

export const skillHandlers = [
  skillTaxonomy.handler,
  ...recordHandlers(
    skill,
    { create: CreateSkill, update: UpdateSkill, activate: ActivateSkill },
    {
      check: refuseUnsafe,
      requireSeen(_sql, { visibility }, id) {
        refuseUnseen(visibility, id);
        return Promise.resolve();
      },
      facts: (sql, { visibility: { hostId } }, { given }) => lineageFor(sql, hostId, given),
      besides: (sql, { visibility }, { id, given: { categoryIds, tagIds } }) =>
        planSelection(sql, visibility, { entityType: 'skill', entityId: id }, { categoryIds, tagIds }),
    },
  ),
  deactivation(DeactivateSkill, {
    ...{ kind: 'skill', id: 'skillId', requireSeen: requireSkill },
    command: (hostId, skillId) => skill.deactivate(hostId, skillId),
  }),
];

/** Loads the facts that the rules need to create a skill with these fields, or to change them. */
export async function skillFactsFor(
  sql: Sql,
  hostId: string,
  skillId: string,
  fields: Partial<SkillFields>,
): Promise<Held & Lineage> {
  const { name } = fields;
  const held = name === undefined ? { heldBy: null } : await skill.held(sql, hostId, skillId, { name });
  return { ...held, ...(await lineageFor(sql, hostId, fields)) };
}

async function lineageFor(
  sql: Sql,
  hostId: string,
  { parentSkillId = null }: Partial<SkillFields>,
): Promise<Lineage> {
  return { lineage: parentSkillId === null ? [] : await lineageOf(sql, hostId, parentSkillId) };
}

/** Ids of a skill, its parent and so on, up to the root. */
async function lineageOf(sql: Sql, hostId: string, skillId: string): Promise<readonly string[]> {
  const rows = await sql.query<{ readonly id: string }>(
    `WITH RECURSIVE lineage (skill_id, parent_skill_id, depth) AS (
       SELECT skill_id, parent_skill_id, 1 FROM skill_t WHERE host_id = $1 AND skill_id = $2::uuid
       UNION ALL
       SELECT p.skill_id, p.parent_skill_id, l.depth + 1
       FROM lineage l JOIN skill_t p ON p.host_id = $1 AND p.skill_id = l.parent_skill_id)
     SELECT skill_id::text AS id FROM lineage ORDER BY depth`,
    [hostId, skillId],
  );
  return rows.map(({ id }) => id);
}
