import type { EndpointRecord } from '../endpoints/endpoint.lookup.js';
import type { Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { toolsSeen } from './tool.lookup.js';
import { prefixedName, shareEnvironment } from './tool-name.js';
import type { NameHolder, PublicationConflict } from './tool.planner.js';

/**
 * The same conflicts with the API that has each name, where the reader may see its tool, and what settles them.
 *
 * @param endpoints those that the conflicts are about
 */
export async function explainedConflicts(
  sql: Sql,
  visibility: Visibility,
  conflicts: readonly PublicationConflict[],
  endpoints: readonly EndpointRecord[],
): Promise<readonly PublicationConflict[]> {
  const taken = conflicts.filter(({ code }) => code === 'tool_name_taken');
  if (taken.length === 0) return conflicts;
  const names = [...new Set(taken.map(({ name }) => name))];
  const seen = (await toolsSeen(sql, visibility, { known: { names, endpoints: [] } })).filter(
    ({ active, endpointActive }) => active && endpointActive,
  );
  const records = new Map(endpoints.map((endpoint) => [endpoint.endpointId, endpoint]));
  return conflicts.map((conflict) => {
    const record = records.get(conflict.endpointId);
    if (conflict.code !== 'tool_name_taken' || record === undefined) return conflict;
    const holder = seen.find(
      (tool) => tool.name === conflict.name && shareEnvironment(tool.envTag, record.envTag),
    );
    return explained(conflict, record.apiId, holder);
  });
}

function explained(
  conflict: PublicationConflict,
  apiId: string,
  holder: NameHolder | undefined,
): PublicationConflict {
  const { name } = conflict;
  const settled = `With onConflict: prefix it is published as ${prefixedName(apiId, name)}.`;
  if (holder === undefined) return { ...conflict, detail: `${conflict.detail} ${settled}` };
  const { toolId, apiVersion } = holder;
  const whose =
    holder.apiId === null
      ? 'a tool without an API'
      : `a tool of the API ${holder.apiId} (version ${apiVersion ?? ''})`;
  const detail = `${name} of the API ${apiId} is no tool: ${whose} has this name in the environment. ${settled}`;
  return { ...conflict, detail, heldBy: { toolId, apiId: holder.apiId, apiVersion } };
}
