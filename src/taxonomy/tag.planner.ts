import { v7 } from 'uuid';
import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { refuseSecretsIn } from '../platform/validation/secret-faults.js';
import { CreateTag, DeleteTag, UpdateTag } from './tag.commands.js';
import type { NewTag, TagPatch } from './taxonomy.schemas.js';
import { ownTag, tagNameHolder } from './term.lookup.js';

export async function planTag(sql: Sql, hostId: string, words: NewTag): Promise<Command[]> {
  await refuseSecretsIn(words);
  const tagId = v7();
  const nameHeldBy = await tagNameHolder(sql, hostId, { ...words, tagId });
  return [new CreateTag(hostId, tagId, { words, nameHeldBy })];
}

export async function planTagUpdate(
  sql: Sql,
  visibility: Visibility,
  tagId: string,
  words: TagPatch,
): Promise<Command[]> {
  await refuseSecretsIn(words);
  const { hostId } = visibility;
  const now = await ownTag(sql, visibility, tagId);
  const { tagName = now.tag_name } = words;
  const nameHeldBy = await tagNameHolder(sql, hostId, { tagId, entityType: now.entity_type, tagName });
  return [new UpdateTag(hostId, tagId, { words, nameHeldBy })];
}

export async function planTagDeletion(sql: Sql, visibility: Visibility, tagId: string): Promise<Command[]> {
  await ownTag(sql, visibility, tagId);
  return [new DeleteTag(visibility.hostId, tagId, {})];
}
