import { v7 } from 'uuid';
import type { Command } from '../kernel/command.js';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import {
  AdoptTags,
  entityTaxonomyId,
  ReplaceTaxonomy,
  type Entity,
  type Selected,
} from './entity-taxonomy.record.js';
import { type EntityType, isSlug, tagSlug } from './term.fields.js';
import { newlyAddressesModel } from '../platform/validation/untrusted-text.js';
import type { RecordCommand } from '../platform/records/record.js';
import type { FieldsOf } from '../platform/records/record-spec.js';
import { category } from './category.record.js';
import { tag } from './tag.record.js';
import { type TermReader, selectable, selectedTerms, termIdsByName } from './taxonomy.lookup.js';

/** Ids of what is selected; a list left out stays as it is. */
export interface Selection {
  readonly categoryIds?: readonly string[] | undefined;
  readonly tagIds?: readonly string[] | undefined;
}

/** Plans a selection, or no command where both lists are left out; the thing's own slice checks that it may be classified. */
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

/** Names of categories and tags in a document; a list left out stays as it is. */
export interface NamedSelection {
  readonly categories?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
}

export interface NamedTerm {
  readonly kind: 'category' | 'tag';
  readonly name: string;
}

type NewTag = RecordCommand<FieldsOf<typeof tag.spec>>;
type NewTerm = NewTag | RecordCommand<FieldsOf<typeof category.spec>>;

interface NamedTerms {
  /** Undefined where the thing has exactly these names already: then its selection stays, id by id. */
  readonly selected: Selected | undefined;
  readonly made: readonly NewTerm[];
  /** As the document writes them. */
  readonly unknown: readonly string[];
}

/** The thing, the reader, and whether names that do not exist yet are created. */
interface Naming {
  readonly visibility: TermReader;
  readonly entity: Entity;
  readonly create: boolean;
}

/**
 * Plans the classification of a thing by the names of a document, matched as they are or as slugs: to what the thing has
 * already, then to the host's, then to global ones. The commands create what is missing first.
 */
export async function planNamedSelection(
  sql: Sql,
  how: Naming,
  { categories, tags }: NamedSelection,
): Promise<{
  readonly commands: readonly Command[];
  readonly made: readonly NamedTerm[];
  readonly unknown: readonly NamedTerm[];
}> {
  const named = {
    category: categories && (await termsNamed(sql, how, 'category', categories)),
    tag: tags && (await termsNamed(sql, how, 'tag', tags)),
  };
  const all = (['category', 'tag'] as const).flatMap((kind) =>
    named[kind] ? [{ kind, ...named[kind] }] : [],
  );
  if (all.length === 0) return { commands: [], made: [], unknown: [] };
  const { visibility, entity } = how;
  const selection = { ...entity, categories: named.category?.selected, tags: named.tag?.selected };
  const replace = new ReplaceTaxonomy(visibility.hostId, entityTaxonomyId(entity), selection);
  return {
    commands: [...all.flatMap(({ made }) => made), replace],
    made: all.flatMap(({ kind, made }) => made.map((command) => ({ kind, name: nameOf(command) }))),
    unknown: all.flatMap(({ kind, unknown }) => unknown.map((name) => ({ kind, name }))),
  };
}

async function termsNamed(
  sql: Sql,
  { visibility, entity, create }: Naming,
  noun: 'category' | 'tag',
  said: readonly string[],
): Promise<NamedTerms> {
  const { entityType } = entity;
  const fit = new Map(said.map((name) => [isSlug(name) ? name : tagSlug(name), name]));
  const held = await selectedTerms(sql, visibility.hostId, entity, noun);
  const shown = new Set(held.map(({ name }) => name));
  if (shown.size === fit.size && [...fit.keys()].every((name) => shown.has(name))) {
    return { selected: undefined, made: [], unknown: [] };
  }
  const kept = held.filter(({ name }) => fit.has(name));
  const names = [...fit.keys()].filter((name) => !shown.has(name));
  const ids = await termIdsByName(sql, visibility, entityType, { noun, names });
  const known = await selectable(sql, visibility, entityType, { noun, ids: [...ids.values()] });
  const missing = names.filter((name) => !ids.has(name));
  const made = create ? missing.flatMap((name) => newTerm(visibility.hostId, entityType, noun, name)) : [];
  const selected = [
    ...kept.map(({ id, globalName }) => ({ id, globalName })),
    ...known,
    ...made.map(({ aggregateId: id }) => ({ id, globalName: null })),
  ];
  const makes = new Set(made.map(nameOf));
  const unknown = missing.filter((name) => !makes.has(name)).map((name) => fit.get(name) ?? name);
  return { selected, made, unknown };
}

function newTerm(hostId: string, entityType: EntityType, noun: 'category' | 'tag', name: string): NewTerm[] {
  if (!isHarmless(name)) return [];
  if (noun === 'tag') return [newTag(hostId, entityType, name)];
  const fields = { entityType, categoryName: name, categoryDesc: null, parentCategoryId: null };
  return [category.create(hostId, v7(), fields, { heldBy: null, lineage: [] })];
}

function newTag(hostId: string, entityType: EntityType, tagName: string): NewTag {
  return tag.create(hostId, v7(), { entityType, tagName, tagDesc: null }, { heldBy: null });
}

function nameOf({ payload }: NewTerm): string {
  return 'tagName' in payload ? payload.tagName : payload.categoryName;
}

/** Tags of one thing, as a document writes them. */
export interface Tagged {
  readonly entityId: string;
  readonly tags: readonly string[];
}

/**
 * Plans the tags that a document gives to things, matched by slug to the host's and then to global ones. Missing ones are
 * created with `create`, and passed over without; one that addresses the model is passed over in any case. A thing that somebody has
 * classified is left alone.
 */
export async function planAdoption(
  sql: Sql,
  hostId: string,
  { entityType, create }: { readonly entityType: EntityType; readonly create: boolean },
  things: readonly Tagged[],
): Promise<{ readonly made: readonly NewTag[]; readonly adopted: readonly AdoptTags[] }> {
  const slugged = things.map(({ entityId, tags }) => ({ entityId, names: slugsOf(tags) }));
  const names = [...new Set(slugged.flatMap((thing) => thing.names))];
  const ids = await termIdsByName(sql, { hostId }, entityType, { noun: 'tag', names });
  const known = await selectable(sql, { hostId }, entityType, { noun: 'tag', ids: [...ids.values()] });
  const byId = new Map(known.map((entry) => [entry.id, entry]));
  const selected = new Map([...ids].flatMap(([name, id]) => [[name, byId.get(id)] as const]));
  const made = names
    .filter((name) => create && !selected.has(name))
    .map((tagName) => newTag(hostId, entityType, tagName));
  for (const { aggregateId: id, payload } of made) selected.set(payload.tagName, { id, globalName: null });
  const adopted = slugged.flatMap((thing) => {
    const tags: Selected = thing.names.flatMap((name) => selected.get(name) ?? []);
    const entity = { entityType, entityId: thing.entityId };
    return tags.length === 0 ? [] : [new AdoptTags(hostId, entityTaxonomyId(entity), { ...entity, tags })];
  });
  return { made, adopted };
}

/** Tags that a selection may hold. */
const MAX_TAGS = 100;

/** Agents are shown the names of what they are given: who writes a document says nothing to them by these. */
function isHarmless(name: string): boolean {
  return name !== '' && !newlyAddressesModel(undefined, name);
}

function slugsOf(tags: readonly string[]): readonly string[] {
  return [...new Set(tags.map(tagSlug).filter(isHarmless))].slice(0, MAX_TAGS);
}
