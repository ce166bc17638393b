import { v7 } from 'uuid';
import type { Command } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { AdoptTags, entityTaxonomyId, ReplaceTaxonomy, type Entity } from './entity-taxonomy.commands.js';
import type { EntityType } from './entity-type.js';
import type { Selected } from './entity-taxonomy.events.js';
import { CreateTag } from './tag.commands.js';
import { tagSlug } from './tag-slug.js';
import { selectable, termIdsByName } from './taxonomy.lookup.js';

/** Ids of what is selected; a list left out stays as it is. */
export interface Selection {
  readonly categoryIds?: readonly string[] | undefined;
  readonly tagIds?: readonly string[] | undefined;
}

/** Whether the thing may be classified is for the slice to say that it belongs to. Nothing said is no command. */
export async function planSelection(
  sql: Sql,
  visibility: Visibility,
  entity: Entity,
  { categoryIds, tagIds }: Selection,
): Promise<Command[]> {
  if (categoryIds === undefined && tagIds === undefined) return [];
  const { entityType } = entity;
  const select = (noun: 'category' | 'tag', ids: readonly string[] | undefined) =>
    ids === undefined ? undefined : selectable(sql, visibility, entityType, { noun, ids });
  const categories = await select('category', categoryIds);
  const tags = await select('tag', tagIds);
  return [new ReplaceTaxonomy(visibility.hostId, entityTaxonomyId(entity), { ...entity, categories, tags })];
}

/** Tags of one thing, in the words of a document. */
export interface Tagged {
  readonly entityId: string;
  readonly tags: readonly string[];
}

/**
 * Gives things the tags that a document names, matched by slug to the host's and then to global ones; those that there
 * are not are made first where that is asked for, and else passed over. What somebody has classified is left alone.
 */
export async function planAdoption(
  sql: Sql,
  hostId: string,
  { entityType, create }: { readonly entityType: EntityType; readonly create: boolean },
  things: readonly Tagged[],
): Promise<{ readonly made: readonly CreateTag[]; readonly adopted: readonly AdoptTags[] }> {
  const slugged = things.map(({ entityId, tags }) => ({ entityId, names: slugsOf(tags) }));
  const names = [...new Set(slugged.flatMap((thing) => thing.names))];
  const ids = await termIdsByName(sql, { hostId }, entityType, { noun: 'tag', names });
  const known = await selectable(sql, { hostId }, entityType, { noun: 'tag', ids: [...ids.values()] });
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  const selected = new Map([...ids].flatMap(([name, id]) => [[name, byId.get(id)] as const]));
  const made = names
    .filter((name) => create && !selected.has(name))
    .map((tagName) => {
      const words = { entityType, tagName, tagDesc: null };
      return new CreateTag(hostId, v7(), { words, nameHeldBy: null });
    });
  for (const { aggregateId: id, payload } of made)
    selected.set(payload.words.tagName, { id, globalName: null });
  const adopted = slugged.flatMap((thing) => {
    const tags: Selected = thing.names.flatMap((name) => selected.get(name) ?? []);
    const entity = { entityType, entityId: thing.entityId };
    return tags.length === 0 ? [] : [new AdoptTags(hostId, entityTaxonomyId(entity), { ...entity, tags })];
  });
  return { made, adopted };
}

/** As many as a selection may hold. */
const mostTags = 100;

function slugsOf(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.map(tagSlug).filter((name) => name !== ''))].slice(0, mostTags);
}
