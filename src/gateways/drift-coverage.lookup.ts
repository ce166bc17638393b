import type { Sql } from '../eventsourcing/sql.js';
import { covers } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { toolFactsOf } from '../tools/tool.lookup.js';

interface OfTool {
  readonly toolId?: string | null;
}

/**
 * Findings about tools that the token covers, and about what no tool of the catalog is: what it does not cover is as if
 * it were not there (contract 2).
 *
 * @param disclosed tools that the caller was told of in another way
 */
export async function coveredFindings<Finding extends OfTool>(
  sql: Sql,
  visibility: Visibility,
  findings: readonly Finding[],
  disclosed: ReadonlySet<string> = new Set(),
): Promise<Finding[]> {
  const ids = findings.flatMap(({ toolId }) => toolId ?? []);
  const tools = await toolFactsOf(sql, visibility.hostId, [...new Set(ids)]);
  return findings.filter(({ toolId }) => {
    if (toolId === undefined || toolId === null || disclosed.has(toolId)) return true;
    const tool = tools.get(toolId);
    return tool !== undefined && covers(visibility, tool.serviceId, tool.envTag);
  });
}
