import { NotFound, RuleBroken, type Fault } from '../kernel/errors.js';
import type { Sql } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';
import { globalHostId, type EntityType } from './term.fields.js';
import { entityTaxonomyId, type Entity, type Selected } from './entity-taxonomy.record.js';
import { taxonomyProperties, type SelectionAnswer } from './entity-taxonomy.schemas.js';

type Noun = 'category' | 'tag';

/** The part of a reader's visibility that matters for categories and tags. */
export type TermReader = Pick<Visibility, 'hostId' | 'within'>;

/**
 * Restricts `category_t` or `tag_t` to what a reader may see: the host's own and the global ones. A token confined to an
 * agent sees those that something in the agent's catalog has.
 */
export function visibleTerms(noun: Noun, { hostId, within }: TermReader): Conditions {
  const where = new Conditions().add('host_id = ANY(?::uuid[])', [hostId, globalHostId]);
  if (within === undefined) return where;
  const { skillIds, toolIds, endpointIds } = within;
  return where.add(
    `EXISTS (SELECT FROM entity_${noun}_t s WHERE s.host_id = ? AND s.${noun}_id = ${noun}_t.${noun}_id
       AND s.entity_id = ANY(?::uuid[]))`,
    hostId,
    [...skillIds, ...toolIds, ...endpointIds],
  );
}

/** How categories and tags are read: a global one is shown with a host of null. */
export function termView(noun: Noun) {
  return {
    visible: (visibility: Visibility) => visibleTerms(noun, visibility),
    shows: {
      hostId: {
        sql: `nullif(host_id, '${globalHostId}')`,
        schema: {
          type: ['string', 'null'],
          format: 'uuid',
          description: 'Null for a global one, which every host reads and none changes.',
        },
      },
    },
  } as const;
}

/** Finds the host's own category or tag. Throws NotFound, and RuleBroken `global_read_only` for a global one. */
export async function requireOwnTerm(
  sql: Sql,
  visibility: Visibility,
  noun: Noun,
  id: string,
): Promise<{ readonly entityType: EntityType }> {
  const where = visibleTerms(noun, visibility).add(`${noun}_id = ?`, id).add('active');
  const [row] = await sql.query<{ readonly host_id: string; readonly entityType: EntityType }>(
    `SELECT host_id, entity_type AS "entityType" FROM ${noun}_t ${where.sql()}`,
    where.values,
  );
  if (row === undefined) throw new NotFound(noun, id);
  if (row.host_id === visibility.hostId) return row;
  const detail = `The ${noun} ${id} is global: every host reads it, and none changes it. Make one of your own.`;
  throw new RuleBroken('global_read_only', detail);
}

/** Members `categories` and `tags` for the reads of a record: `('tool', 'tool_t', 'tool_id')`. */
export function taxonomyShown(entityType: EntityType, table: string, id: string) {
  const shown = (column: 'categories' | 'tags') => ({
    sql: `coalesce((SELECT x.${column} FROM taxonomy_read x WHERE x.host_id = ${table}.host_id
       AND x.entity_type = '${entityType}' AND x.entity_id = ${table}.${id}), '{}')`,
    schema: taxonomyProperties[column],
  });
  return { categories: shown('categories'), tags: shown('tags') };
}

/** The same as columns of a SELECT from the table that holds the things. */
export function taxonomyColumns(entityType: EntityType, table: string, id: string): string {
  const { categories, tags } = taxonomyShown(entityType, table, id);
  return `${categories.sql} AS categories, ${tags.sql} AS tags`;
}

/** A list of things that can be classified. */
interface Classified {
  readonly entityType: EntityType;
  readonly id: string;
  readonly own?: { readonly tag?: string; readonly category?: string };
}

/**
 * Adds the filters `tag` and `category` of a list; `id` is the column that holds the thing's id. `own` selects the ids of
 * things whose own fields name the tag or category; it takes host and name.
 */
export function addTaxonomyFilter(
  where: Conditions,
  hostId: string,
  { entityType, id, own = {} }: Classified,
  { tag, category }: { readonly tag?: string | undefined; readonly category?: string | undefined },
): void {
  const add = (noun: 'tag' | 'category', name: string): void => {
    const said = own[noun];
    where.add(
      `${id} IN (${said === undefined ? '' : `${said} UNION ALL`}
         SELECT s.entity_id FROM ${noun}_t t
         JOIN entity_${noun}_t s ON s.host_id = t.host_id AND s.${noun}_id = t.${noun}_id
         WHERE t.host_id = ? AND t.entity_type = ? AND t.${noun}_name = ? AND t.active
         UNION ALL
         SELECT s.entity_id FROM entity_${noun}_t s
         WHERE s.host_id = ? AND s.entity_type = ? AND s.global_name = ?)`,
      ...(said === undefined ? [] : [hostId, name]),
      ...[hostId, entityType, name, hostId, entityType, name],
    );
  };
  if (tag !== undefined) add('tag', tag);
  if (category !== undefined) add('category', category);
}

/** Loads the categories and tags of a thing, with ids and version. */
export async function selectionOf(sql: Sql, hostId: string, entity: Entity): Promise<SelectionAnswer> {
  const { entityType, entityId } = entity;
  const [row] = await sql.query<
    Pick<SelectionAnswer, 'categories' | 'tags' | 'aggregateVersion' | 'position'>
  >(
    `SELECT e.aggregate_version AS "aggregateVersion", e.position,
       coalesce((SELECT json_agg(json_build_object('categoryId', s.category_id, 'categoryName', s.category_name)
                  ORDER BY s.category_name, s.category_id) FROM entity_category_read s
         WHERE s.host_id = e.host_id AND s.entity_type = e.entity_type AND s.entity_id = e.entity_id), '[]')
         AS categories,
       coalesce((SELECT json_agg(json_build_object('tagId', s.tag_id, 'tagName', s.tag_name)
                  ORDER BY s.tag_name, s.tag_id) FROM entity_tag_read s
         WHERE s.host_id = e.host_id AND s.entity_type = e.entity_type AND s.entity_id = e.entity_id), '[]') AS tags
     FROM entity_taxonomy_t e WHERE e.host_id = $1 AND e.entity_type = $2 AND e.entity_id = $3`,
    [hostId, entityType, entityId],
  );
  const { categories = [], tags = [], aggregateVersion = 0, position = 0 } = row ?? {};
  return { id: entityTaxonomyId(entity), entityType, entityId, categories, tags, aggregateVersion, position };
}

/** Loads the categories or tags that a thing shows, as they were selected, with the name that is shown. */
export async function selectedTerms(
  sql: Sql,
  hostId: string,
  { entityType, entityId }: Entity,
  noun: 'category' | 'tag',
): Promise<(Selected[number] & { readonly name: string })[]> {
  const column = noun === 'category' ? 'categories' : 'tags';
  return sql.query(
    `SELECT * FROM (
       SELECT s.id::text, s."globalName", coalesce(s."globalName", CASE WHEN t.active THEN t.${noun}_name END) AS name
       FROM entity_taxonomy_t e
       CROSS JOIN LATERAL jsonb_to_recordset(e.${column}) s (id uuid, "globalName" text)
       LEFT JOIN ${noun}_t t ON t.host_id = e.host_id AND t.${noun}_id = s.id
       WHERE e.host_id = $1 AND e.entity_type = $2 AND e.entity_id = $3) AS selected
     WHERE name IS NOT NULL`,
    [hostId, entityType, entityId],
  );
}

/**
 * Loads the categories or tags of these ids as they are selected.
 *
 * @throws RuleBroken `category_not_found`, `tag_not_found`: all that are not there for this kind of thing
 */
export async function selectable(
  sql: Sql,
  visibility: TermReader,
  entityType: EntityType,
  { noun, ids }: { readonly noun: 'category' | 'tag'; readonly ids: readonly string[] },
): Promise<Selected> {
  if (ids.length === 0) return [];
  const where = visibleTerms(noun, visibility)
    .add(`${noun}_id = ANY(?::uuid[])`, ids)
    .add('entity_type = ?', entityType)
    .add('active');
  const rows = await sql.query<{ id: string; host_id: string; name: string }>(
    `SELECT ${noun}_id AS id, host_id, ${noun}_name AS name FROM ${noun}_t ${where.sql()}`,
    where.values,
  );
  const known = new Map(rows.map((row) => [row.id, row]));
  const member = noun === 'category' ? 'categoryIds' : 'tagIds';
  const faults: Fault[] = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            pointer: `/${member}/${String(index)}`,
            detail: `There is no ${noun} ${id} for a ${entityType}.`,
          },
        ],
  );
  if (faults.length > 0) {
    const detail = `Take ids that GET …/${noun === 'category' ? 'categories' : 'tags'}?entityType=${entityType} lists.`;
    throw new RuleBroken(`${noun}_not_found`, detail, faults);
  }
  // Within the global host, its entries are its own.
  return rows.map(({ id, host_id, name }) => ({
    id,
    globalName: host_id === globalHostId && visibility.hostId !== globalHostId ? name : null,
  }));
}

/** Finds the categories or tags of these names for a type of thing; a host's own goes before a global one. */
export async function termIdsByName(
  sql: Sql,
  visibility: TermReader,
  entityType: EntityType,
  { noun, names }: { readonly noun: 'category' | 'tag'; readonly names: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const where = visibleTerms(noun, visibility)
    .add(`${noun}_name = ANY(?::text[])`, names)
    .add('entity_type = ?', entityType)
    .add('active');
  const rows = await sql.query<{ id: string; name: string }>(
    `SELECT ${noun}_id AS id, ${noun}_name AS name FROM ${noun}_t ${where.sql()}
     ORDER BY host_id = '${globalHostId}' DESC`,
    where.values,
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}

/** Whether there is any tag for things of this type. */
export async function hasTags(sql: Sql, hostId: string, entityType: EntityType): Promise<boolean> {
  const where = visibleTerms('tag', { hostId }).add('entity_type = ?', entityType).add('active');
  return (await sql.query(`SELECT FROM tag_t ${where.sql()} LIMIT 1`, where.values)).length > 0;
}
