import { createHash } from 'node:crypto';
import { canonicalJson } from '../../kernel/canonical-json.js';
import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { partsOf } from '../../registry/shared.js';
import type { ToolVersionRow, VersionColumn } from './versions.projection.js';

/** A version of a tool, whatever became of it, with all that it is made of. */
export interface KnownVersion {
  readonly toolId: string;
  readonly name: string;
  /** Of the tool; null: every environment. */
  readonly envTag: string | null;
  readonly version: string;
  readonly state: ToolVersionRow['state'];
  readonly origin: ToolVersionRow['origin'];
  readonly content: VersionColumn;
  /** Hex SHA-256: see {@link digestOf}. */
  readonly digest: string;
  readonly specText: string | null;
  readonly about: ToolVersionRow['about'];
  /** The spec of the last version before it that has one, where it has none itself. */
  readonly writtenText: string | null;
  /** Who wrote it last. */
  readonly author: string;
  /** All who have written on it, or on what it continues. */
  readonly authors: readonly string[];
  /** What it is evaluated by, where that was kept with it. */
  readonly evalConfig: ToolVersionRow['eval_config'];
  readonly evalConfigText: string | null;
  /** Changes that its number was not raised for. */
  readonly accepted: ToolVersionRow['accepted'];
  readonly evaluation: ToolVersionRow['evaluation'];
  readonly review: ToolVersionRow['review'];
  readonly override: ToolVersionRow['override'];
  readonly seen: ToolVersionRow['seen'];
  readonly deprecation: ToolVersionRow['deprecation'];
  /** Why its operation does not fit the schema of its API; null where it does. */
  readonly callFault: ToolVersionRow['call_fault'];
  /** The one that agents are given unless a link keeps to another. */
  readonly isPresent: boolean;
  readonly position: number;
  readonly updateTs: string;
  readonly updateUser: string;
}

/** Hex SHA-256 over the canonical JSON (RFC 8785) of the tool's name and all that the version is made of. */
export function digestOf(name: string, content: VersionColumn): string {
  const { params: _, outputSchema, ...made } = content;
  // An empty schema takes anything, as one that is left out.
  const answers = outputSchema !== undefined && Object.keys(outputSchema).length > 0 && { outputSchema };
  return createHash('sha256')
    .update(canonicalJson({ name, ...made, ...answers }))
    .digest('hex');
}

/** Lists the versions of these tools, each tool's newest first. */
export async function versionsOf(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
  only: { readonly versions?: readonly string[]; readonly states?: readonly string[] } = {},
): Promise<readonly KnownVersion[]> {
  const rows = await sql.query<Omit<KnownVersion, 'digest'>>(
    `SELECT v.tool_id AS "toolId", t.name, t.env_tag AS "envTag", v.version, v.state, v.origin,
            CASE WHEN v.content ? 'outputSchema' OR t.endpoint_id IS NULL THEN v.content
                 ELSE v.content || jsonb_strip_nulls(jsonb_build_object('outputSchema', (
                   SELECT e.response_schema FROM endpoint_read e
                    WHERE e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id))) END AS content,
            v.spec_text AS "specText", v.about,
            CASE WHEN v.spec_text IS NULL THEN (
              SELECT w.spec_text FROM tool_version_t w
               WHERE w.host_id = v.host_id AND w.tool_id = v.tool_id AND w.spec_text IS NOT NULL AND w.state <> 'rejected'
                 AND version_key(w.version) COLLATE "C" < version_key(v.version) COLLATE "C"
               ORDER BY version_key(w.version) COLLATE "C" DESC LIMIT 1) END AS "writtenText", v.author,
            CASE WHEN v.authors = '{}' THEN ARRAY[v.author] ELSE v.authors END AS authors, v.evaluation, v.review, v.override, v.seen, v.deprecation,
            v.call_fault AS "callFault",
            v.eval_config AS "evalConfig", v.eval_config_text AS "evalConfigText", v.accepted,
            t.approved AND t.version = v.version AS "isPresent", v.position, v.update_ts AS "updateTs",
            v.update_user AS "updateUser"
     FROM tool_version_t v
     JOIN tool_t t ON t.host_id = v.host_id AND t.tool_id = v.tool_id
     WHERE v.host_id = $1 AND v.tool_id = ANY($2::uuid[]) AND ($3::text[] IS NULL OR v.version = ANY($3::text[]))
       AND ($4::text[] IS NULL OR v.state = ANY($4::text[]))
     ORDER BY v.tool_id, version_key(v.version) COLLATE "C" DESC`,
    [hostId, toolIds, only.versions ?? null, only.states ?? null],
  );
  return rows.map((row) => ({ ...row, digest: digestOf(row.name, row.content) }));
}

interface Stated {
  readonly toolId: string;
  readonly versions: readonly Pick<KnownVersion, 'version' | 'state'>[];
}

/** The numbers of these tools' versions, by tool, newest first, each with its state. */
export async function versionStatesOf(
  sql: Sql,
  hostId: string,
  toolIds: readonly string[],
): Promise<ReadonlyMap<string, Stated['versions']>> {
  const rows = await sql.query<Stated>(
    `SELECT tool_id AS "toolId", jsonb_agg(jsonb_build_object('version', version, 'state', state)
            ORDER BY version_key(version) COLLATE "C" DESC) AS versions
     FROM tool_version_t WHERE host_id = $1 AND tool_id = ANY($2::uuid[]) GROUP BY tool_id`,
    [hostId, toolIds],
  );
  return new Map(rows.map(({ toolId, versions }) => [toolId, versions]));
}

/** A version that waits for a review. */
export interface VersionInReview {
  /** Absent where a dry run would make the tool. */
  readonly toolId?: string;
  readonly toolName: string;
  readonly version: string;
  /** Whether the write has brought it. */
  readonly isNew: boolean;
}

/** Lists the versions of an API version's tools that wait for a review after a write, by name. */
export function versionsInReview(
  { sql, before }: { readonly sql: Sql; readonly before: number },
  hostId: string,
  apiVersionId: string,
): Promise<readonly VersionInReview[]> {
  return sql.query<VersionInReview>(
    `SELECT v.tool_id AS "toolId", t.name AS "toolName", v.version, v.position > $3 AS "isNew"
     FROM tool_t t JOIN tool_version_t v ON v.host_id = t.host_id AND v.tool_id = t.tool_id
     WHERE t.host_id = $1 AND t.api_version_id = $2 AND v.state = 'in_review'
     ORDER BY t.name COLLATE "C", t.tool_id, version_key(v.version) COLLATE "C" DESC`,
    [hostId, apiVersionId, before],
  );
}

/** The day by the database, in UTC, like 2026-11-23. */
export async function todayBy(sql: Sql): Promise<string> {
  const [row] = await sql.query<{ readonly day: string }>(
    `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
  );
  if (row === undefined) throw new Error('The database knows no day.');
  return row.day;
}

/** Throws NotFound. */
export async function versionOf(
  sql: Sql,
  hostId: string,
  toolId: string,
  version: string,
): Promise<KnownVersion> {
  const [found] = await versionsOf(sql, hostId, [toolId], { versions: [version] });
  if (found === undefined) throw new NotFound(`version of tool ${toolId}`, version);
  return found;
}

/** The version that is approved with the changes of a tool, where one waits: its first, or that of its source. */
export async function waitingVersionOf(
  sql: Sql,
  hostId: string,
  toolId: string,
): Promise<KnownVersion | undefined> {
  const [waiting] = await sql.query<{ readonly version: string }>(
    `SELECT v.version FROM tool_version_t v JOIN tool_t t ON t.host_id = v.host_id AND t.tool_id = v.tool_id
     WHERE v.host_id = $1 AND v.tool_id = $2 AND v.state = 'in_review'
       AND (v.version = t.version OR v.origin = 'source')
     ORDER BY v.version = t.version DESC LIMIT 1`,
    [hostId, toolId],
  );
  return waiting && versionOf(sql, hostId, toolId, waiting.version);
}

/**
 * The version whose place another takes once it is approved: the newest that links of its major are given, or else what
 * agents are given without a range. Undefined where there is none.
 *
 * @param versions of one tool, newest first
 */
export function replacedBy(versions: readonly KnownVersion[], version: string): KnownVersion | undefined {
  const [major] = partsOf(version);
  const live = versions.filter(({ state }) => state === 'approved' || state === 'deprecated');
  const ofMajor = live.find((known) => known.version !== version && partsOf(known.version)[0] === major);
  return ofMajor ?? live.find(({ isPresent }) => isPresent);
}
