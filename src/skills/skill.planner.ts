import { v7 } from 'uuid';
import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { ActivateSkill, CreateSkill, DeactivateSkill, UpdateSkill } from './skill.commands.js';
import { nameHolderOf, surroundingsOf } from './skill.lookup.js';
import type { NewSkill, SkillPatch } from './skill.schemas.js';
import { refuseUnseen } from './skills.filter.js';

export async function planCreation(sql: Sql, hostId: string, words: NewSkill): Promise<Command[]> {
  const skillId = v7();
  const surroundings = await surroundingsOf(sql, hostId, { ...words, skillId });
  return [new CreateSkill(hostId, skillId, { words, surroundings })];
}

export async function planUpdate(
  sql: Sql,
  visibility: Visibility,
  skillId: string,
  words: SkillPatch,
): Promise<Command[]> {
  refuseUnseen(visibility, skillId);
  const surroundings = await surroundingsOf(sql, visibility.hostId, {
    skillId,
    name: words.name ?? null,
    parentSkillId: words.parentSkillId ?? null,
  });
  return [new UpdateSkill(visibility.hostId, skillId, { words, surroundings })];
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
