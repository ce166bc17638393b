import { firstVersion, writeHead, allowedTools, readSkillMd, folderName } from '../../documents/skill-md.js';
import { type SkillDocument, documentVersion, type ExportQuery } from './skill-document.schemas.js';
import { filesIn, type StoredFolder } from './skill-folder.record.js';
import type { Sql } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { taxonomyColumns } from '../../taxonomy/public.js';
import { toolsSeen } from '../../tools/public.js';
import {
  documentedDependencies,
  documentedLinks,
  documentedWorkflows,
  type DocumentedLink,
} from './skill-document.lookup.js';
import { lookedUpNames, resolveTools } from './skill-import.js';
import { rangeKept } from '../links/skill-tool.rules.js';
import { visibleSkills } from '../skill.lookup.js';
import { type ArchiveFile, safeFiles } from '../../documents/archive-file.js';
import { writeTar, writeZip } from '../../documents/archive.stream.js';
import { writeYaml } from '../../documents/yaml.js';

/** A skill with its references by name, and the folder that it was imported from. */
export interface ExportedSkill {
  readonly document: SkillDocument;
  /**
   * Tools for the frontmatter of its SKILL.md: those that it names and that are still linked, then other active ones. A
   * frontmatter that names none still names none.
   */
  readonly tools: readonly string[];
  readonly folder: StoredFolder | null;
}

/** Writes the frontmatter of its SKILL.md as it is now. */
export function headOf({ document, tools, folder }: ExportedSkill): string {
  const { name, description = '', version = firstVersion } = document;
  return writeHead({ name, description, version, tools }, folder?.head ?? null);
}

interface Row {
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly content_markdown: string;
  readonly parent: string | null;
  readonly categories: string[];
  readonly tags: string[];
  readonly folder: StoredFolder | null;
}

const columns = `name, description, version, content_markdown, ${taxonomyColumns('skill', 'skill_t', 'skill_id')},
  (SELECT p.name FROM skill_t p WHERE p.host_id = skill_t.host_id AND p.skill_id = skill_t.parent_skill_id) AS parent,
  (SELECT json_build_object('head', f.head, 'files', f.files) FROM skill_folder_t f
   WHERE f.host_id = skill_t.host_id AND f.skill_id = skill_t.skill_id) AS folder`;

export async function exportedSkill(
  sql: Sql,
  visibility: Visibility,
  skillId: string,
): Promise<ExportedSkill | undefined> {
  const { hostId } = visibility;
  const where = visibleSkills(visibility).add('skill_id = ?', skillId);
  const [row] = await sql.query<Row>(`SELECT ${columns} FROM skill_t ${where.sql()}`, where.values);
  if (row === undefined) return undefined;
  const links = await documentedLinks(sql, visibility, skillId);
  const dependencies = await documentedDependencies(sql, hostId, skillId);
  const workflows = await documentedWorkflows(sql, hostId, skillId);
  const document: SkillDocument = {
    formatVersion: documentVersion,
    ...{ name: row.name, description: row.description, version: row.version, parentSkill: row.parent },
    ...{ categories: row.categories, tags: row.tags },
    tools: links.map(toolOf),
    workflows: workflows.map(({ skillId: _, wfDefId: _id, config, ...link }) => ({
      ...link,
      config: { ...config },
    })),
    dependsOn: dependencies.map(({ skill, required }) => ({ skill, required })),
    contentMarkdown: row.content_markdown,
  };
  const { folder } = row;
  const active = links.filter((link) => link.active);
  const tools =
    folder === null ? active.map(({ name }) => name) : await namedTools(sql, visibility, folder, links);
  return { document, tools, folder };
}

/** Brings `allowed-tools` of a folder up to date. */
async function namedTools(
  sql: Sql,
  visibility: Visibility,
  { head }: StoredFolder,
  links: readonly DocumentedLink[],
): Promise<string[]> {
  const said = allowedTools(readSkillMd(head).fields);
  if (said.length === 0) return [];
  const known = await toolsSeen(sql, visibility, { known: { names: lookedUpNames(said), endpoints: [] } });
  const linked = new Set(links.map(({ toolId }) => toolId));
  const named = new Set<string>();
  const kept = said.filter((tool) => {
    const [found] = resolveTools([{ ...tool, config: {} }], known, linked).found;
    if (found !== undefined) named.add(found.toolId);
    return found === undefined || linked.has(found.toolId);
  });
  const others = links.filter(({ active, toolId }) => active && !named.has(toolId));
  return [...kept.map(({ reference }) => reference), ...others.map(({ name }) => name)];
}

function toolOf(link: DocumentedLink): NonNullable<SkillDocument['tools']>[number] {
  const { name, accessLevel, config, range, newest, apiId, apiVersion, endpoint } = link;
  const isBehind = apiId !== null && apiVersion !== null && endpoint !== null;
  // A new link gets that one by itself.
  const isUsual = range === null || range === rangeKept(undefined, undefined, newest);
  return {
    ...{ name, ...(isBehind && { endpoint: { apiId, apiVersion, key: endpoint } }), accessLevel },
    ...(!isUsual && { range }),
    config,
  };
}

/** An export as it is sent. */
export interface WrittenSkill {
  readonly mediaType: string;
  readonly fileName: string;
  readonly body: Buffer;
}

/** Writes a skill as a structured document, as SKILL.md, or as its folder. */
export async function writeSkill(
  exported: ExportedSkill,
  format: ExportQuery['format'],
): Promise<WrittenSkill> {
  const { document } = exported;
  const name = folderName(document.name);
  const written = (mediaType: string, fileName: string, body: string | Uint8Array): WrittenSkill => ({
    ...{ mediaType, fileName },
    body: Buffer.from(body as string),
  });
  switch (format) {
    case 'json':
      return written('application/json', `${name}.skill.json`, JSON.stringify(document));
    case 'yaml':
      return written('application/yaml', `${name}.skill.yaml`, writeYaml(document));
    case 'skill-md':
      return written('text/markdown; charset=utf-8', 'SKILL.md', skillMdOf(exported));
    case 'zip':
      return written('application/zip', `${name}.zip`, await writeZip(filesOf(exported, name)));
    case 'tar':
      return written('application/gzip', `${name}.tar.gz`, await writeTar(filesOf(exported, name)));
  }
}

function skillMdOf(exported: ExportedSkill): string {
  return headOf(exported) + exported.document.contentMarkdown;
}

/** What an import would refuse stays out, also where it was taken in before that was refused. */
function filesOf(exported: ExportedSkill, folder: string): ArchiveFile[] {
  const skillMd = { path: 'SKILL.md', bytes: Buffer.from(skillMdOf(exported)) };
  const files = safeFiles([skillMd, ...filesIn(exported.folder?.files ?? [])]);
  return files.map(({ path, bytes }) => ({ path: `${folder}/${path}`, bytes }));
}
