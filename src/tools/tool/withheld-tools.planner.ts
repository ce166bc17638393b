import { type ChangeGrade, quarantinedGrades } from '../../endpoints/shared.js';
import type { EndpointRecord } from '../../endpoints/public.js';
import { Pace } from '../../kernel/pace.js';
import type { Sql } from '../../kernel/sql.js';
import { markAfter, type Marked } from '../model/tool-refresh.js';
import type { PublishTool } from '../model/tool.commands.js';
import { isCalledAnew, suspiciousFields } from '../model/tool-change.js';
import { type ChangeMark, sourceOf } from '../model/tool-facts.js';
import type { KnownTool } from '../model/tool.state.js';

/** A tool that agents are not given until somebody accepts what changed of it. */
export interface WithheldTool {
  readonly toolId: string;
  readonly toolName: string;
  /** The worst grade of its changes. */
  readonly grade: ChangeGrade;
  /** Dot paths of what waits to be accepted, ordered. */
  readonly fields: readonly string[];
  /** Those of them whose change an administrator alone may accept. */
  readonly suspicious: readonly string[];
}

/** An endpoint that was there and that a write changes. */
export interface ChangedEndpoint {
  readonly before: EndpointRecord;
  readonly after: EndpointRecord;
  /** Whether the change of the write is graded, so that it may have to wait to be accepted. */
  readonly isGraded: boolean;
}

/**
 * The tools of an API version that are withheld once the write is carried out, by name: those that it changes, those that
 * it publishes, and those that waited before. Without quarantine only those that have no version which agents could be
 * given meanwhile.
 */
export async function planWithheld(
  sql: Sql,
  hostId: string,
  apiVersionId: string,
  write: {
    readonly changed: readonly ChangedEndpoint[];
    readonly gone: ReadonlySet<string>;
    readonly published: readonly PublishTool[];
    readonly quarantine: boolean;
  },
): Promise<readonly WithheldTool[]> {
  const changed = new Map(write.changed.map((change) => [change.after.endpointId, change]));
  const graded = write.changed.filter(({ isGraded }) => isGraded);
  const tools = await sql.query<StoredTool>(
    `SELECT t.tool_id AS "toolId", t.endpoint_id AS "endpointId", t.name, t.words,
            jsonb_build_object('inputSchema', t.input_schema) AS invocation, t.change, t.approved
     FROM tool_t t
     WHERE t.host_id = $1 AND t.api_version_id = $2 AND t.active
       AND (t.endpoint_active AND t.change ->> 'grade' = ANY($3::text[]) OR t.endpoint_id = ANY($4::uuid[]))`,
    [hostId, apiVersionId, quarantinedGrades, graded.map(({ after }) => after.endpointId)],
  );
  const found = [...withheldOf(write.published)];
  const pace = new Pace();
  for (const tool of tools) {
    const change = changed.get(tool.endpointId);
    if (change?.after.active === false || write.gone.has(tool.endpointId)) continue;
    const mark = change === undefined ? tool.change : markMadeBy(tool, change);
    const isGiven = tool.approved && !write.quarantine && !isCalledAnew(mark?.fields ?? []);
    if (!isGiven) found.push(...withheld(tool, mark));
    await pace.step();
  }
  return found.sort((a, b) => (a.toolName < b.toolName ? -1 : 1));
}

/** Returns the published tools that wait to be accepted: their first version is in review. */
export function withheldOf(published: readonly PublishTool[]): readonly WithheldTool[] {
  return published.flatMap(({ aggregateId: toolId, payload: { name, change = null } }) =>
    withheld({ toolId, name }, change),
  );
}

type StoredTool = Marked & {
  readonly toolId: string;
  readonly endpointId: string;
  readonly name: string;
  readonly approved: boolean;
};

function markMadeBy(tool: StoredTool, { before, after }: ChangedEndpoint): ChangeMark | null {
  const { words, offered, invocation, kept } = sourceOf(after);
  const source = { words, ...(offered !== undefined && { offered }), invocation };
  return markAfter(tool, { ...source, kept: { before: sourceOf(before).kept, after: kept } });
}

/** Returns a tool without an endpoint that agents are not given before it is accepted. */
export function withheldScript(
  toolId: string,
  { name, change, approved }: Pick<KnownTool, 'name' | 'change' | 'approved'>,
): WithheldTool[] {
  return approved ? [] : withheld({ toolId, name }, change);
}

function withheld(
  { toolId, name: toolName }: Pick<StoredTool, 'toolId' | 'name'>,
  mark: ChangeMark | null,
): WithheldTool[] {
  if (mark === null || !quarantinedGrades.includes(mark.grade)) return [];
  const { grade, fields } = mark;
  return [{ toolId, toolName, grade, fields, suspicious: suspiciousFields(mark) }];
}
