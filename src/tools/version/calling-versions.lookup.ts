import type { Sql } from '../../kernel/sql.js';
import type { KeptCall, KeptComposite } from '../../registry/shared.js';
import type { CallFault } from '../model/version.events.js';
import type { ToolVersionRow } from '../tool/versions.projection.js';

/** A version of a tool whose operation, or whose steps, people have written. */
export interface CallingVersion {
  readonly toolId: string;
  readonly toolName: string;
  readonly version: string;
  readonly state: ToolVersionRow['state'];
  readonly call: KeptCall | KeptComposite;
  readonly inputSchema: object;
  readonly fault: CallFault | null;
}

/** Whether a step of a composite calls $2. */
const hasStepCalling = `EXISTS (
  SELECT FROM jsonb_array_elements(v.content #> '{call,alternatives}') alternative,
              jsonb_array_elements(alternative -> 'steps') step
   WHERE $2::text IN (step #>> '{graphql,apiVersionId}', step #>> '{endpoint,apiVersionId}'))`;

/** Lists the versions that call the API version, themselves or with a step, and that somebody may be given, or may come to be: by name, then version. */
export async function versionsCalling(
  sql: Sql,
  hostId: string,
  apiVersionId: string,
): Promise<readonly CallingVersion[]> {
  return sql.query<CallingVersion>(
    `SELECT v.tool_id AS "toolId", t.name AS "toolName", v.version, v.state, v.content -> 'call' AS call,
            v.content -> 'inputSchema' AS "inputSchema", v.call_fault AS fault
     FROM tool_version_t v JOIN tool_t t ON t.host_id = v.host_id AND t.tool_id = v.tool_id
     WHERE v.host_id = $1 AND v.state NOT IN ('retired', 'rejected')
       AND (v.content ? 'call' AND v.content #>> '{call,apiVersionId}' = $2
            OR v.content #> '{call,alternatives}' IS NOT NULL AND ${hasStepCalling})
     ORDER BY t.name COLLATE "C", t.tool_id, version_key(v.version) COLLATE "C"`,
    [hostId, apiVersionId],
  );
}
