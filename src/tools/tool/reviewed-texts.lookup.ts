import type { Sql } from '../../kernel/sql.js';
import { settingsOf } from '../../settings/public.js';

/**
 * Of these tools, those whose texts somebody reviews before agents read them: all of which nothing is approved yet, all that came as
 * a spec, and where the host approves nothing by itself every one. What stands beside or in place of their texts and waits for no
 * review (example prompts, the words of a link) is written by who may approve: no digest covers it, that of a first version neither.
 * Said of tools that are approved in `needsReview` of tool.state.ts.
 */
export async function toolsWithReviewedTexts(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { autoApprove } = await settingsOf(sql, hostId);
  const rows = await sql.query<{ readonly toolId: string }>(
    `SELECT tool_id AS "toolId" FROM tool_t t
     WHERE host_id = $1 AND tool_id = ANY($2::uuid[])
       AND ($3 OR implementation_type = 'service' OR NOT approved OR EXISTS (
         SELECT FROM tool_version_t v WHERE v.host_id = t.host_id AND v.tool_id = t.tool_id
            AND v.origin = 'spec' AND v.state IN ('approved', 'deprecated', 'retired')))`,
    [hostId, toolIds, !autoApprove],
  );
  return new Set(rows.map(({ toolId }) => toolId));
}
