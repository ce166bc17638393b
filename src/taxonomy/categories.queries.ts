import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import { likeText } from '../platform/database/visible-rows.js';
import type { CategoryRow } from './categories.row.js';
import { globalHostId } from './entity-type.js';
import { visibleTerms } from './taxonomy.filter.js';
import type { CategoryAnswer, CategoryListQuery } from './taxonomy.schemas.js';

interface CategoryPage {
  readonly items: CategoryAnswer[];
  readonly nextCursor?: string;
}

export class ListCategories extends Query<CategoryPage> {
  constructor(
    readonly visibility: Visibility,
    readonly filter: CategoryListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetCategory extends Query<CategoryAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly categoryId: string,
  ) {
    super();
  }
}

@QueryHandler(ListCategories)
export class ListCategoriesHandler implements IQueryHandler<ListCategories> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, filter }: ListCategories): Promise<CategoryPage> {
    const { active, entityType, categoryName, parentCategoryId, q, limit, cursor } = filter;
    const where = visibleTerms('category', visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    if (entityType !== undefined) where.add('entity_type = ?', entityType);
    if (categoryName !== undefined) where.add('category_name = ?', categoryName);
    if (parentCategoryId !== undefined) where.add('parent_category_id = ?', parentCategoryId);
    if (q !== undefined) where.add(`concat_ws(' ', category_name, category_desc) ILIKE ?`, likeText(q));
    const { rows, ...next } = await listPage<CategoryRow>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: 'category_t', where, text: 'category_name', id: 'category_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map((row) => answerOf(row, visibility)), ...next };
  }
}

@QueryHandler(GetCategory)
export class GetCategoryHandler implements IQueryHandler<GetCategory> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, categoryId }: GetCategory): Promise<CategoryAnswer> {
    const where = visibleTerms('category', visibility).add('category_id = ? AND active', categoryId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<CategoryRow>(`SELECT * FROM category_t ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound('category', categoryId);
    return answerOf(row, visibility);
  }
}

/** What stands above is not named to a token that may not see it. */
function answerOf(row: CategoryRow, { within }: Visibility): CategoryAnswer {
  return {
    categoryId: row.category_id,
    hostId: row.host_id === globalHostId ? null : row.host_id,
    entityType: row.entity_type,
    categoryName: row.category_name,
    categoryDesc: row.category_desc,
    parentCategoryId: within === undefined ? row.parent_category_id : null,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
