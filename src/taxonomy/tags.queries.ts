import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { listPage } from '../platform/database/page.js';
import { likeText } from '../platform/database/visible-rows.js';
import { globalHostId } from './entity-type.js';
import type { TagRow } from './tags.row.js';
import { visibleTerms } from './taxonomy.filter.js';
import type { TagAnswer, TagListQuery } from './taxonomy.schemas.js';

interface TagPage {
  readonly items: TagAnswer[];
  readonly nextCursor?: string;
}

export class ListTags extends Query<TagPage> {
  constructor(
    readonly visibility: Visibility,
    readonly filter: TagListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetTag extends Query<TagAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly tagId: string,
  ) {
    super();
  }
}

@QueryHandler(ListTags)
export class ListTagsHandler implements IQueryHandler<ListTags> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, filter }: ListTags): Promise<TagPage> {
    const { active, entityType, tagName, q, limit, cursor } = filter;
    const where = visibleTerms('tag', visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    if (entityType !== undefined) where.add('entity_type = ?', entityType);
    if (tagName !== undefined) where.add('tag_name = ?', tagName);
    if (q !== undefined) where.add(`concat_ws(' ', tag_name, tag_desc) ILIKE ?`, likeText(q));
    const { rows, ...next } = await listPage<TagRow>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: 'tag_t', where, text: 'tag_name', id: 'tag_id', limit, cursor },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetTag)
export class GetTagHandler implements IQueryHandler<GetTag> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, tagId }: GetTag): Promise<TagAnswer> {
    const where = visibleTerms('tag', visibility).add('tag_id = ? AND active', tagId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<TagRow>(`SELECT * FROM tag_t ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound('tag', tagId);
    return answerOf(row);
  }
}

function answerOf(row: TagRow): TagAnswer {
  return {
    tagId: row.tag_id,
    hostId: row.host_id === globalHostId ? null : row.host_id,
    entityType: row.entity_type,
    tagName: row.tag_name,
    tagDesc: row.tag_desc,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
