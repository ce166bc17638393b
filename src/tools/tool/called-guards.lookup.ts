import type { Sql } from '../../kernel/sql.js';
import { endpointsReached, type KeptCall, type KeptComposite } from '../../registry/shared.js';
import { nameClaimsOf } from './tool.lookup.js';
import { NameClaims } from '../model/tool-name.js';
import { GuardTool } from '../model/tool.commands.js';
import type { CallGuards } from '../model/call-guards.js';

/** How the endpoints that a call reaches are guarded, and the tools that are published of them. */
export async function guardsOfCall(
  sql: Sql,
  hostId: string,
  call: KeptCall | KeptComposite | undefined,
): Promise<readonly CallGuards[]> {
  const endpointIds = call === undefined ? [] : endpointsReached(call);
  if (endpointIds.length === 0) return [];
  return sql.query<CallGuards>(
    `SELECT coalesce(g.metadata -> 'routing', '{}') AS routing, coalesce(g.metadata -> 'safety', '{}') AS safety
     FROM (
       SELECT e.tool_metadata AS metadata FROM endpoint_read e
        WHERE e.host_id = $1 AND e.endpoint_id = ANY($2::uuid[])
       UNION ALL
       SELECT t.tool_metadata FROM tool_t t WHERE t.host_id = $1 AND t.endpoint_id = ANY($2::uuid[])) AS g`,
    [hostId, endpointIds],
  );
}

interface CallingTool {
  readonly toolId: string;
  readonly name: string;
  readonly envTag: string | null;
  /** Of the endpoints in question those that a live version of it calls. */
  readonly endpointIds: readonly string[];
}

/** Commands that guard each tool, of which a live version calls one of the endpoints, as these are guarded now. */
export async function guardCallers(
  sql: Sql,
  hostId: string,
  guards: ReadonlyMap<string, CallGuards>,
): Promise<readonly { readonly command: GuardTool; readonly endpointIds: readonly string[] }[]> {
  if (guards.size === 0) return [];
  const callers = await sql.query<CallingTool>(
    `SELECT t.tool_id AS "toolId", t.name, t.env_tag AS "envTag", array_agg(DISTINCT c.id) AS "endpointIds"
     FROM tool_version_t v
     JOIN tool_t t ON t.host_id = v.host_id AND t.tool_id = v.tool_id
     CROSS JOIN LATERAL jsonb_array_elements_text(v.content #> '{call,endpointIds}') AS c (id)
     WHERE v.host_id = $1 AND v.content ? 'call' AND v.content #> '{call,endpointIds}' ?| $2::text[]
       AND v.state IN ('approved', 'deprecated') AND c.id = ANY($2::text[])
     GROUP BY t.tool_id, t.name, t.env_tag ORDER BY t.tool_id`,
    [hostId, [...guards.keys()]],
  );
  if (callers.length === 0) return [];
  const names = callers.map(({ name }) => name);
  const claims = new NameClaims(await nameClaimsOf(sql, hostId, names));
  return callers.map(({ endpointIds, ...tool }) => ({
    endpointIds,
    command: new GuardTool(hostId, tool.toolId, {
      guards: endpointIds.flatMap((id) => guards.get(id) ?? []),
      taken: claims.takenFrom(tool),
    }),
  }));
}
