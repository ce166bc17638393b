import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { CategoryRow } from './categories.row.js';
import type { CategorySurroundings } from './category.commands.js';
import { globalHostId, type EntityType } from './entity-type.js';
import type { TagRow } from './tags.row.js';
import { visibleTerms } from './taxonomy.filter.js';

/** The host's own category. Throws NotFound, and RuleBroken `global_read_only` where it is another's. */
export async function ownCategory(
  sql: Sql,
  visibility: Visibility,
  categoryId: string,
): Promise<CategoryRow> {
  return ownTerm<CategoryRow>(sql, visibility, 'category', categoryId);
}

/** The host's own tag. Throws NotFound, and RuleBroken `global_read_only` where it is another's. */
export async function ownTag(sql: Sql, visibility: Visibility, tagId: string): Promise<TagRow> {
  return ownTerm<TagRow>(sql, visibility, 'tag', tagId);
}

async function ownTerm<Row extends { readonly host_id: string }>(
  sql: Sql,
  visibility: Visibility,
  noun: 'category' | 'tag',
  id: string,
): Promise<Row> {
  const where = visibleTerms(noun, visibility).add(`${noun}_id = ?`, id).add('active');
  const [row] = await sql.query<Row>(`SELECT * FROM ${noun}_t ${where.sql()}`, where.values);
  if (row === undefined) throw new NotFound(noun, id);
  if (row.host_id === visibility.hostId) return row;
  const detail = `The ${noun} ${id} is global: every host reads it, and none changes it. Make one of your own.`;
  throw new RuleBroken('global_read_only', detail);
}

/** What a category that would have this name and this parent stands among. */
export async function categorySurroundings(
  sql: Sql,
  hostId: string,
  category: {
    readonly categoryId: string;
    readonly entityType: EntityType;
    readonly categoryName: string;
    readonly parentCategoryId: string | null;
  },
): Promise<CategorySurroundings> {
  const { categoryId, entityType, categoryName, parentCategoryId } = category;
  const [row] = await sql.query<CategorySurroundings>(
    `WITH RECURSIVE lineage (category_id, parent_category_id, depth) AS (
       SELECT category_id, parent_category_id, 1 FROM category_t
       WHERE host_id IN ($1, $6) AND category_id = $5::uuid AND entity_type = $3 AND active
       UNION ALL
       SELECT p.category_id, p.parent_category_id, l.depth + 1
       FROM lineage l JOIN category_t p ON p.host_id IN ($1, $6) AND p.category_id = l.parent_category_id)
     SELECT
       (SELECT category_id::text FROM category_t
        WHERE host_id = $1 AND entity_type = $3 AND category_name = $4 AND active
          AND parent_category_id IS NOT DISTINCT FROM $5::uuid AND category_id <> $2) AS "nameHeldBy",
       ARRAY(SELECT category_id::text FROM lineage ORDER BY depth) AS lineage`,
    [hostId, categoryId, entityType, categoryName, parentCategoryId, globalHostId],
  );
  if (row === undefined) throw new Error('A select without FROM gives one row.');
  return row;
}

export async function hasChildren(sql: Sql, hostId: string, categoryId: string): Promise<boolean> {
  const children = await sql.query(
    'SELECT FROM category_t WHERE host_id = $1 AND parent_category_id = $2 AND active LIMIT 1',
    [hostId, categoryId],
  );
  return children.length > 0;
}

/** The other tag for this kind of thing that has the name. */
export async function tagNameHolder(
  sql: Sql,
  hostId: string,
  tag: { readonly tagId: string; readonly entityType: EntityType; readonly tagName: string },
): Promise<string | null> {
  const [row] = await sql.query<{ tag_id: string }>(
    `SELECT tag_id FROM tag_t
     WHERE host_id = $1 AND entity_type = $2 AND tag_name = $3 AND active AND tag_id <> $4`,
    [hostId, tag.entityType, tag.tagName, tag.tagId],
  );
  return row?.tag_id ?? null;
}
