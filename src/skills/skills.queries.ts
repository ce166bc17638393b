import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import { likeText } from '../platform/database/visible-rows.js';
import { addTaxonomyFilter, taxonomyColumns, type TaxonomyNames } from '../taxonomy/taxonomy.lookup.js';
import type { ListedSkill, SkillAnswer, SkillListQuery } from './skill.schemas.js';
import { visibleSkills } from './skills.filter.js';
import type { SkillRow } from './skills.row.js';

interface SkillPage {
  readonly items: ListedSkill[];
  readonly nextCursor?: string;
}

export class ListSkills extends Query<SkillPage> {
  constructor(
    readonly visibility: Visibility,
    readonly filter: SkillListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetSkill extends Query<SkillAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
  ) {
    super();
  }
}

/** All but the content, which may be long. */
const columns = `host_id, skill_id, name, description, version, parent_skill_id, active, position, aggregate_version,
  update_ts, update_user, ${taxonomyColumns('skill', 'skill_t', 'skill_id')}`;
type Row = Omit<SkillRow, 'content_markdown'> & TaxonomyNames;

@QueryHandler(ListSkills)
export class ListSkillsHandler implements IQueryHandler<ListSkills> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, filter }: ListSkills): Promise<SkillPage> {
    const { active, name, parentSkillId, q, limit, cursor } = filter;
    const where = visibleSkills(visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    if (name !== undefined) where.add('name = ?', name);
    if (parentSkillId !== undefined) where.add('parent_skill_id = ?', parentSkillId);
    if (q !== undefined) where.add(`concat_ws(' ', name, description) ILIKE ?`, likeText(q));
    addTaxonomyFilter(where, visibility.hostId, { entityType: 'skill', id: 'skill_id' }, filter);
    const { rows, ...next } = await listPage<Row>(this.database.of(visibility.hostId), {
      ...{ select: columns, from: 'skill_t', where, text: 'name', id: 'skill_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(listedOf), ...next };
  }
}

@QueryHandler(GetSkill)
export class GetSkillHandler implements IQueryHandler<GetSkill> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, skillId }: GetSkill): Promise<SkillAnswer> {
    const where = visibleSkills(visibility).add('skill_id = ?', skillId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row & Pick<SkillRow, 'content_markdown'>>(
        `SELECT ${columns}, content_markdown FROM skill_t ${where.sql()}`,
        where.values,
      );
    if (row === undefined) throw new NotFound('skill', skillId);
    return { ...listedOf(row), contentMarkdown: row.content_markdown };
  }
}

function listedOf(row: Row): ListedSkill {
  return {
    skillId: row.skill_id,
    name: row.name,
    description: row.description,
    version: row.version,
    parentSkillId: row.parent_skill_id,
    categories: row.categories,
    tags: row.tags,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
