import type { Sql } from '../../kernel/sql.js';

/** Matches deprecated versions whose day has passed, by the clock of the database, and that do not say so yet. */
const passed = `state = 'deprecated' AND deprecation -> 'overdue' IS NULL
  AND (deprecation ->> 'on') COLLATE "C" < to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') COLLATE "C"`;

/** Most versions that one write notes. */
const AT_ONCE = 100;

/** The hosts that have such versions. */
export async function hostsWithOverdue(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.query<{ readonly hostId: string }>(
    `SELECT DISTINCT host_id AS "hostId" FROM tool_version_t WHERE ${passed}`,
  );
  return rows.map(({ hostId }) => hostId);
}

/** The next of them that a host has. */
export function overdueVersions(
  sql: Sql,
  hostId: string,
): Promise<readonly { readonly toolId: string; readonly version: string }[]> {
  return sql.query(
    `SELECT tool_id AS "toolId", version FROM tool_version_t WHERE host_id = $1 AND ${passed}
     ORDER BY tool_id, version LIMIT ${String(AT_ONCE)}`,
    [hostId],
  );
}
