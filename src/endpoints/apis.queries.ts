import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { listPage } from '../platform/database/page.js';
import { likeText, visibleRows } from '../platform/database/visible-rows.js';
import type { ApiAnswer, ApiListQuery } from './api.schemas.js';
import type { ApiRow } from './apis.row.js';

export class ListApis extends Query<{ items: ApiAnswer[]; nextCursor?: string }> {
  constructor(
    readonly visibility: Visibility,
    readonly filter: ApiListQuery,
  ) {
    super();
  }
}

/** Throws NotFound. */
export class GetApi extends Query<ApiAnswer> {
  constructor(
    readonly visibility: Visibility,
    readonly apiId: string,
  ) {
    super();
  }
}

@QueryHandler(ListApis)
export class ListApisHandler implements IQueryHandler<ListApis> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, filter }: ListApis): Promise<{ items: ApiAnswer[]; nextCursor?: string }> {
    const { active, q, limit, cursor } = filter;
    const where = visibleApis(visibility);
    if (active !== 'all') where.add('active = ?', active === 'true');
    if (q !== undefined) where.add(`concat_ws(' ', api_id, api_name, api_desc) ILIKE ?`, likeText(q));
    const { rows, ...next } = await listPage<ApiRow>(this.database.of(visibility.hostId), {
      ...{ select: '*', from: 'api_t', where, text: 'api_name', id: 'api_id' },
      ...{ limit, cursor },
    });
    return { items: rows.map(answerOf), ...next };
  }
}

@QueryHandler(GetApi)
export class GetApiHandler implements IQueryHandler<GetApi> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, apiId }: GetApi): Promise<ApiAnswer> {
    const where = visibleApis(visibility).add('api_id = ?', apiId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<ApiRow>(`SELECT * FROM api_t ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound('API', apiId);
    return answerOf(row);
  }
}

/** An API belongs to no service: its versions do. */
function visibleApis(visibility: Visibility): Conditions {
  return visibleRows(visibility, { limits: [], confined: ['api_id', ({ apiIds }) => apiIds] });
}

function answerOf(row: ApiRow): ApiAnswer {
  return {
    apiId: row.api_id,
    apiName: row.api_name,
    apiDesc: row.api_desc,
    businessGroup: row.business_group,
    lob: row.lob,
    platform: row.platform,
    capability: row.capability,
    region: row.region,
    gitRepo: row.git_repo,
    active: row.active,
    aggregateVersion: row.aggregate_version,
    position: row.position,
    updateTs: row.update_ts,
    updateUser: row.update_user,
  };
}
