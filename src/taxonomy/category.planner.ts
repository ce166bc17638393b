import { v7 } from 'uuid';
import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { refuseSecretsIn } from '../platform/validation/secret-faults.js';
import { CreateCategory, DeleteCategory, UpdateCategory } from './category.commands.js';
import type { CategoryPatch, NewCategory } from './taxonomy.schemas.js';
import { categorySurroundings, hasChildren, ownCategory } from './term.lookup.js';

export async function planCategory(sql: Sql, hostId: string, words: NewCategory): Promise<Command[]> {
  await refuseSecretsIn(words);
  const categoryId = v7();
  const surroundings = await categorySurroundings(sql, hostId, { ...words, categoryId });
  return [new CreateCategory(hostId, categoryId, { words, surroundings })];
}

export async function planCategoryUpdate(
  sql: Sql,
  visibility: Visibility,
  categoryId: string,
  words: CategoryPatch,
): Promise<Command[]> {
  await refuseSecretsIn(words);
  const { hostId } = visibility;
  const now = await ownCategory(sql, visibility, categoryId);
  const { categoryName = now.category_name, parentCategoryId = now.parent_category_id } = words;
  const next = { categoryId, entityType: now.entity_type, categoryName, parentCategoryId };
  const surroundings = await categorySurroundings(sql, hostId, next);
  return [new UpdateCategory(hostId, categoryId, { words, surroundings })];
}

export async function planCategoryDeletion(
  sql: Sql,
  visibility: Visibility,
  categoryId: string,
): Promise<Command[]> {
  const { hostId } = visibility;
  await ownCategory(sql, visibility, categoryId);
  return [
    new DeleteCategory(hostId, categoryId, { hasChildren: await hasChildren(sql, hostId, categoryId) }),
  ];
}
