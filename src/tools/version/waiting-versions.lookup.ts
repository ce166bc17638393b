import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { visibleRows } from '../../platform/database/conditions.js';
import { listPage, type Page } from '../../platform/database/page.js';

interface Wanted {
  readonly state: 'draft' | 'in_review';
  readonly apiId?: string | undefined;
  readonly name?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

interface WaitingVersion {
  readonly toolId: string;
  readonly version: string;
  readonly origin: string | null;
  readonly since: string;
}

/** A page of the versions in this state, over all tools, by the name of the tool; throws Invalid `invalid_cursor`. */
export function waitingVersions(
  sql: Sql,
  visibility: Visibility,
  { state, apiId, name, limit, cursor }: Wanted,
): Promise<Page<WaitingVersion>> {
  const where = visibleRows(visibility, { limits: ['services', 'environments', 'tiers'] });
  where.add('state = ?', state);
  if (apiId !== undefined) where.add('api_id = ?', apiId);
  if (name !== undefined) where.add('name = ?', name);
  return listPage<WaitingVersion>(sql, {
    select: `name, waiting_id, tool_id AS "toolId", version, origin, since`,
    from: `(SELECT t.host_id, t.name, t.tool_id, t.service_id, t.env_tag, t.sensitivity_tier, t.api_id, v.version, v.state, v.origin,
                   v.update_ts AS since, t.tool_id::text || ' ' || v.version AS waiting_id
            FROM tool_version_t v JOIN tool_t t ON t.host_id = v.host_id AND t.tool_id = v.tool_id) AS waiting`,
    ...{ where, text: 'name', id: 'waiting_id', limit, cursor },
  });
}
