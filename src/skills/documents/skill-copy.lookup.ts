import { allowedTools, readSkillMd, writeSkillMd } from '../../documents/skill-md.js';
import { type ArchiveFile, isSetting, safeFiles } from '../../documents/archive-file.js';
import type { Sql } from '../../kernel/sql.js';
import { filesIn, type StoredFolder } from './skill-folder.record.js';

/** How a skill is told to others: under which name, and with which of its tools. */
export interface SkillCopy {
  readonly skillId: string;
  /** As a folder is named: small letters, digits and single dashes between. */
  readonly name: string;
  readonly description: string;
  readonly tools: readonly string[];
}

/** What a copy is made of, so that one that was made is known again. */
export interface CopyStamp {
  readonly skillId: string;
  /** Changes with every change of the skill or its folder. */
  readonly stamp: string;
  /** Whether there are files beside SKILL.md. */
  readonly hasFiles: boolean;
}

/** Loads the stamps of those of the skills that exist. */
export async function copyStamps(
  sql: Sql,
  hostId: string,
  skillIds: readonly string[],
): Promise<readonly CopyStamp[]> {
  return sql.query<CopyStamp>(
    `SELECT s.skill_id AS "skillId", concat_ws('.', s.position, f.position) AS stamp,
            coalesce(jsonb_array_length(f.files), 0) > 0 AS "hasFiles"
     FROM skill_t s LEFT JOIN skill_folder_t f ON f.host_id = s.host_id AND f.skill_id = s.skill_id
     WHERE s.host_id = $1 AND s.skill_id = ANY ($2::uuid[])`,
    [hostId, skillIds],
  );
}

interface Row {
  readonly version: string;
  readonly content_markdown: string;
  readonly head: string | null;
  readonly files: StoredFolder['files'] | null;
}

/**
 * The files of a copy, SKILL.md first: no other tool of the host is named in its frontmatter. Settings of tools stay out: where a
 * copy lies, programs would run what they name, and nobody has reviewed them. Undefined where there is no such skill.
 */
export async function skillCopy(
  sql: Sql,
  hostId: string,
  { skillId, name, description, tools }: SkillCopy,
): Promise<readonly ArchiveFile[] | undefined> {
  const [row] = await sql.query<Row>(
    `SELECT s.version, s.content_markdown, f.head, f.files
     FROM skill_t s LEFT JOIN skill_folder_t f ON f.host_id = s.host_id AND f.skill_id = s.skill_id
     WHERE s.host_id = $1 AND s.skill_id = $2`,
    [hostId, skillId],
  );
  if (row === undefined) return undefined;
  const { version, content_markdown: body, head, files } = row;
  const said = { name, description, version, tools: await namedTools(sql, hostId, head, tools), body };
  const skillMd = { path: 'SKILL.md', bytes: Buffer.from(writeSkillMd(said, head)) };
  const safe = safeFiles([skillMd, ...filesIn(files ?? [])]);
  return safe.filter(({ path }) => !isSetting(path));
}

/** What the frontmatter names already, but tools of this host that are not told; and then the others that are. */
async function namedTools(
  sql: Sql,
  hostId: string,
  head: string | null,
  given: readonly string[],
): Promise<readonly string[]> {
  const said = head === null ? [] : allowedTools(readSkillMd(head).fields);
  const names = said.flatMap((tool) => tool.names);
  const own = await sql.query<{ readonly name: string }>(
    'SELECT DISTINCT name FROM tool_read WHERE host_id = $1 AND name = ANY ($2::text[])',
    [hostId, names],
  );
  const hidden = new Set(own.map(({ name }) => name).filter((name) => !given.includes(name)));
  const kept = said.filter((tool) => !tool.names.some((name) => hidden.has(name)));
  const named = new Set(kept.flatMap((tool) => tool.names));
  return [...kept.map(({ reference }) => reference), ...given.filter((name) => !named.has(name))];
}
