import { v7 } from 'uuid';
import type { Command, Write } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { planSelection, type Selection } from '../taxonomy/taxonomy.planner.js';
import { ActivateSkill, CreateSkill, DeactivateSkill, UpdateSkill } from './skill.commands.js';
import { nameHolderOf, surroundingsOf } from './skill.lookup.js';
import type { NewSkill, SkillPatch } from './skill.schemas.js';
import { refuseUnsafe } from './skill-safety.js';
import { refuseUnseen, requireSkill } from './skills.filter.js';

/** Looks the words through, which may take its time, before the transaction in which the plan is made. */
export async function creationOf(visibility: Visibility, body: NewSkill): Promise<Write['plan']> {
  await refuseUnsafe(body);
  return (sql) => planCreation(sql, visibility, body);
}

/** The same for a change. */
export async function updateOf(
  visibility: Visibility,
  skillId: string,
  body: SkillPatch,
): Promise<Write['plan']> {
  await refuseUnsafe(body);
  return (sql) => planUpdate(sql, visibility, skillId, body);
}

/** A skill and what it is classified as are two aggregates, written by one request. */
async function planCreation(sql: Sql, visibility: Visibility, body: NewSkill): Promise<Command[]> {
  const { hostId } = visibility;
  const { categoryIds, tagIds, ...words } = body;
  const skillId = v7();
  const { name, parentSkillId } = words;
  const surroundings = await surroundingsOf(sql, hostId, { skillId, name, parentSkillId });
  const entity = { entityType: 'skill', entityId: skillId } as const;
  const classified = await planSelection(sql, visibility, entity, { categoryIds, tagIds });
  return [new CreateSkill(hostId, skillId, { words, surroundings }), ...classified];
}

async function planUpdate(
  sql: Sql,
  visibility: Visibility,
  skillId: string,
  body: SkillPatch,
): Promise<Command[]> {
  refuseUnseen(visibility, skillId);
  const { categoryIds, tagIds, ...words } = body;
  const surroundings = await surroundingsOf(sql, visibility.hostId, {
    skillId,
    name: words.name ?? null,
    parentSkillId: words.parentSkillId ?? null,
  });
  const entity = { entityType: 'skill', entityId: skillId } as const;
  const classified = await planSelection(sql, visibility, entity, { categoryIds, tagIds });
  return [new UpdateSkill(visibility.hostId, skillId, { words, surroundings }), ...classified];
}

export async function planActivation(sql: Sql, visibility: Visibility, skillId: string): Promise<Command[]> {
  refuseUnseen(visibility, skillId);
  const nameHeldBy = await nameHolderOf(sql, visibility.hostId, skillId);
  return [new ActivateSkill(visibility.hostId, skillId, { nameHeldBy })];
}

export function planDeactivation(visibility: Visibility, skillId: string): Command[] {
  refuseUnseen(visibility, skillId);
  return [new DeactivateSkill(visibility.hostId, skillId, {})];
}

export async function planTaxonomy(
  sql: Sql,
  visibility: Visibility,
  skillId: string,
  selection: Selection,
): Promise<Command[]> {
  await requireSkill(sql, visibility, skillId);
  return planSelection(sql, visibility, { entityType: 'skill', entityId: skillId }, selection);
}
