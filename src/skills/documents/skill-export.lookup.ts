import type { Sql } from '../../eventsourcing/sql.js';
import { allowedTools, readSkillMd } from '../../documents/skill-md.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { taxonomyColumns } from '../../taxonomy/public.js';
import { toolsSeen } from '../../tools/public.js';
import {
  documentedDependencies,
  documentedLinks,
  documentedWorkflows,
  type DocumentedLink,
} from './skill-document.lookup.js';
import { documentVersion, type SkillDocument } from './skill-document.schemas.js';
import type { ExportedSkill } from './skill-export.js';
import type { StoredFolder } from './skill-folder.events.js';
import { lookedUpNames, resolveTools } from './skill-import.js';
import { visibleSkills } from '../skills.filter.js';

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

/** What `allowed-tools` of a folder says now. */
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
  const { name, accessLevel, config, apiId, apiVersion, endpoint } = link;
  const isBehind = apiId !== null && apiVersion !== null && endpoint !== null;
  return { name, ...(isBehind && { endpoint: { apiId, apiVersion, key: endpoint } }), accessLevel, config };
}
