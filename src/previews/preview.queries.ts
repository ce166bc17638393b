import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EffectiveCatalogs } from '../effective-catalog/effective-catalogs.lookup.js';
import { NotFound } from '../eventsourcing/errors.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Reader } from '../platform/http/parameters.js';
import { visibleRows } from '../platform/database/visible-rows.js';
import { safeHtml } from './markdown.js';
import type { PreviewAnswer, PreviewBody } from './preview.schemas.js';
import {
  matchedWords,
  promptOf,
  saidOf,
  sizeOf,
  toolDefinitions,
  type PreviewedSkill,
  type PreviewedTool,
} from './previewed-skill.js';
import { lintSkill } from './skill-lint.js';

/** Throws NotFound where there is no such skill, or no such agent; Problem 403 for an agent out of reach. */
export class PreviewSkill extends Query<PreviewAnswer> {
  constructor(
    readonly reader: Reader,
    readonly skillId: string,
    readonly body: PreviewBody,
  ) {
    super();
  }
}

type Words = Pick<PreviewedSkill, 'name' | 'description' | 'contentMarkdown'>;

@QueryHandler(PreviewSkill)
export class PreviewSkillHandler implements IQueryHandler<PreviewSkill> {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly catalogs: EffectiveCatalogs,
  ) {}

  async execute({ reader, skillId, body }: PreviewSkill): Promise<PreviewAnswer> {
    const words = await this.wordsOf(reader.visibility, skillId);
    if (body.agentDefId === undefined) {
      const tools = await this.toolsOf(reader.visibility, skillId);
      const workflows = await this.workflowsOf(reader.visibility, skillId);
      return answerOf(skillId, { ...words, tools, otherTools: [] }, { given: true, workflows }, body);
    }
    const { caller, requestId } = reader;
    const { content } = await this.catalogs.given(caller, body.agentDefId, { requestId });
    const given = content.skills.find((skill) => skill.skillId === skillId);
    const otherTools = content.skills
      .filter((skill) => skill !== given)
      .flatMap((skill) => skill.tools.map(({ name }) => name));
    const tools = (given?.tools ?? []) as unknown as readonly PreviewedTool[];
    const about = { given: given !== undefined, workflows: given?.workflows ?? [] };
    return answerOf(skillId, { ...words, tools, otherTools }, about, body);
  }

  private async wordsOf(visibility: Visibility, skillId: string): Promise<Words> {
    const where = visibleRows(visibility, { limits: [], confined: ['skill_id', ({ skillIds }) => skillIds] });
    where.add('skill_id = ?', skillId);
    const [words] = await this.database
      .of(visibility.hostId)
      .query<Words>(
        `SELECT name, description, content_markdown AS "contentMarkdown" FROM skill_read ${where.sql()}`,
        where.values,
      );
    if (words === undefined) throw new NotFound('skill', skillId);
    return words;
  }

  /** In the shape and the order in which the catalog gives them. */
  private async workflowsOf({ hostId }: Visibility, skillId: string): Promise<object[]> {
    return this.database.of(hostId).query(
      `SELECT w.wf_def_id AS "wfDefId", w.namespace, w.name, w.version, x.workflow_role AS "workflowRole",
              x.start_mode AS "startMode", x.config
       FROM skill_workflow_read x JOIN workflow_read w ON w.host_id = x.host_id AND w.wf_def_id = x.wf_def_id
       WHERE x.host_id = $1 AND x.skill_id = $2 AND x.active AND w.active
       ORDER BY w.namespace COLLATE "C", w.name COLLATE "C", w.wf_def_id, x.workflow_role COLLATE "C"`,
      [hostId, skillId],
    );
  }

  /** What the skill offers, whoever it is assigned to: its tools that are offered and that the reader may see. */
  private async toolsOf(visibility: Visibility, skillId: string): Promise<PreviewedTool[]> {
    const where = visibleRows(visibility, {
      limits: ['services', 'environments', 'tiers'],
      confined: ['tool_id', ({ links }) => links.get(skillId)?.toolIds ?? []],
    }).add('skill_id = ?', skillId);
    return this.database.of(visibility.hostId).query<PreviewedTool>(
      `SELECT tool_id AS "toolId", name, description, access_level AS "accessLevel", config, params,
              input_schema AS "inputSchema"
       FROM (
         SELECT t.*, l.skill_id, l.access_level, l.config
         FROM skill_tool_read l JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
         LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
         WHERE l.active AND t.active AND coalesce(e.active, t.endpoint_id IS NULL)) AS linked
       ${where.sql()} ORDER BY name COLLATE "C", tool_id`,
      where.values,
    );
  }
}

function answerOf(
  skillId: string,
  skill: PreviewedSkill,
  about: { readonly given: boolean; readonly workflows: readonly object[] },
  { prompt: asked = '' }: PreviewBody,
): PreviewAnswer {
  const prompt = about.given ? promptOf(skill) : '';
  const html = safeHtml(skill.contentMarkdown);
  const tools = skill.tools.map((tool) => ({
    ...{ toolId: tool.toolId, name: tool.name, description: saidOf(tool), accessLevel: tool.accessLevel },
    matched: matchedWords(asked, tool),
  }));
  return {
    ...{ skillId, given: about.given, prompt },
    ...(html !== undefined && { html }),
    tools: tools.sort((a, b) => b.matched.length - a.matched.length),
    workflows: about.workflows.map((workflow) => ({ ...workflow })),
    size: { prompt: { ...sizeOf(prompt) }, toolDefinitions: { ...sizeOf(toolDefinitions(skill)) } },
    findings: lintSkill(skill).map((finding) => ({ ...finding })),
  };
}
