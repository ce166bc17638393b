import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { taxonomyColumns } from '../taxonomy/taxonomy.lookup.js';
import {
  documentedDependencies,
  documentedLinks,
  documentedWorkflows,
  type DocumentedLink,
} from './skill-document.lookup.js';
import { documentVersion, type SkillDocument } from './skill-document.schemas.js';
import type { StoredFolder } from './skill-folder.events.js';
import { visibleSkills } from './skills.filter.js';

/** A skill with all that it refers to by name, and the folder that it came in. */
export interface ExportedSkill {
  readonly document: SkillDocument;
  /** Names of its active tools. */
  readonly tools: readonly string[];
  readonly folder: StoredFolder | null;
}

/** Throws NotFound. */
export class ExportSkill extends Query<ExportedSkill> {
  constructor(
    readonly visibility: Visibility,
    readonly skillId: string,
  ) {
    super();
  }
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

@QueryHandler(ExportSkill)
export class ExportSkillHandler implements IQueryHandler<ExportSkill> {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  async execute({ visibility, skillId }: ExportSkill): Promise<ExportedSkill> {
    const where = visibleSkills(visibility).add('skill_id = ?', skillId);
    const [row] = await this.database
      .of(visibility.hostId)
      .query<Row>(`SELECT ${columns} FROM skill_t ${where.sql()}`, where.values);
    if (row === undefined) throw new NotFound('skill', skillId);
    const links = await documentedLinks(this.database.of(visibility.hostId), visibility, skillId);
    const dependencies = await documentedDependencies(
      this.database.of(visibility.hostId),
      visibility.hostId,
      skillId,
    );
    const workflows = await documentedWorkflows(
      this.database.of(visibility.hostId),
      visibility.hostId,
      skillId,
    );
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
    const tools = links.filter(({ active }) => active).map(({ name }) => name);
    return { document, tools, folder: row.folder };
  }
}

function toolOf(link: DocumentedLink): NonNullable<SkillDocument['tools']>[number] {
  const { name, accessLevel, config, apiId, apiVersion, endpoint } = link;
  const isBehind = apiId !== null && apiVersion !== null && endpoint !== null;
  return { name, ...(isBehind && { endpoint: { apiId, apiVersion, key: endpoint } }), accessLevel, config };
}
