import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, text, uuid } from '../platform/http/schemas.js';
import { findingCodes, lintSkill } from './skill-lint.js';
import { Body, Controller, Inject, Injectable, Param, Post } from '@nestjs/common';
import { Operation } from '../platform/http/operation.js';
import { type Reader, ReaderOf } from '../platform/http/parameters.js';
import { EffectiveCatalogs } from '../effective-catalog/public.js';
import { NotFound } from '../kernel/errors.js';
import { DATABASE, type Database } from '../kernel/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { visibleRows } from '../platform/database/conditions.js';
import { type SharedRequest, SharedRoute } from '../platform/records/routes.js';
import {
  descriptionOf,
  matchedWords,
  type PreviewedSkill,
  type PreviewedTool,
  promptOf,
  safeHtml,
  sizeOf,
  toolDefinitions,
} from './previewed-skill.js';

const previewBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    prompt: { ...text(4000), description: 'What somebody might say: the tools that it matches come first.' },
    agentDefId: {
      ...uuid,
      description:
        'As this agent is given the skill. Left out: as that of the token is, else all its active tools.',
    },
  },
} as const satisfies JSONSchema;
type PreviewBody = FromSchema<typeof previewBody>;

const size = {
  title: 'TextSize',
  ...objectOf({
    characters: { type: 'integer', minimum: 0 },
    estimatedTokens: {
      type: 'integer',
      minimum: 0,
      description: 'Four characters of ASCII a token, of other scripts one.',
    },
  }),
} as const;

const previewAnswer = objectOf(
  {
    skillId: uuid,
    given: { type: 'boolean', description: 'False: the agent is not given this skill; it would be empty.' },
    prompt: { type: 'string', description: 'The text that the skill puts into a prompt.' },
    html: {
      type: 'string',
      description: 'The content rendered, HTML in it shown as text; left out where it is longer than 64 KiB.',
    },
    tools: {
      type: 'array',
      description:
        'Tools that may be called, by name; with a prompt, those that match more of its words first.',
      items: objectOf({
        toolId: uuid,
        name: { type: 'string' },
        description: { type: 'string' },
        accessLevel: { type: 'string' },
        matched: { type: 'array', items: { type: 'string' }, description: 'Words of the prompt.' },
      }),
    },
    workflows: {
      type: 'array',
      description: 'Workflows linked to the skill, as the catalog gives them.',
      items: { type: 'object' },
    },
    size: objectOf({ prompt: size, toolDefinitions: size }),
    findings: {
      type: 'array',
      description: 'What serves an agent badly. None of it forbids anything.',
      items: objectOf(
        {
          code: { type: 'string', enum: findingCodes },
          toolName: { type: 'string' },
          detail: { type: 'string' },
        },
        ['toolName'],
      ),
    },
  },
  ['html'],
);
type PreviewAnswer = FromSchema<typeof previewAnswer>;

const previewExample = {
  skillId: '0198c0de-0000-7000-8000-00000000b001',
  given: true,
  prompt:
    '# Account Management\n\nPrefer read-only tools.\n\n## Tools\n\n- getAccountByNo: Shows one account.\n',
  html: '<p>Prefer read-only tools.</p>\n',
  tools: [
    {
      toolId: '0198c0de-0000-7000-8000-00000000c001',
      name: 'getAccountByNo',
      description: 'Shows one account.',
      accessLevel: 'read',
      matched: ['account'],
    },
  ],
  workflows: [],
  size: {
    prompt: { characters: 92, estimatedTokens: 23 },
    toolDefinitions: { characters: 140, estimatedTokens: 35 },
  },
  findings: [{ code: 'description_missing', detail: 'Say when to use the skill: agents choose by it.' }],
} as const satisfies PreviewAnswer;

type SkillTexts = Pick<PreviewedSkill, 'name' | 'description' | 'contentMarkdown'>;

@Injectable()
export class Previews {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly catalogs: EffectiveCatalogs,
  ) {}

  /** Throws NotFound where there is no such skill, or no such agent; Problem 403 for an agent out of reach. */
  async of(reader: Reader, skillId: string, body: PreviewBody): Promise<PreviewAnswer> {
    const texts = await this.textsOf(reader.visibility, skillId);
    const agentDefId = body.agentDefId ?? reader.caller.agentDefId;
    if (agentDefId === undefined) {
      const tools = await this.toolsOf(reader.visibility, skillId);
      const workflows = await this.workflowsOf(reader.visibility, skillId);
      return previewOf(skillId, { ...texts, tools, otherTools: [] }, { given: true, workflows }, body);
    }
    const { caller, requestId } = reader;
    const { content } = await this.catalogs.given(caller, agentDefId, { requestId });
    const given = content.skills.find((skill) => skill.skillId === skillId);
    const otherTools = content.skills
      .filter((skill) => skill !== given)
      .flatMap((skill) => skill.tools.map(({ name }) => name));
    const tools = (given?.tools ?? []) as unknown as readonly PreviewedTool[];
    const about = { given: given !== undefined, workflows: given?.workflows ?? [] };
    return previewOf(skillId, { ...texts, tools, otherTools }, about, body);
  }

  private async textsOf(visibility: Visibility, skillId: string): Promise<SkillTexts> {
    const where = visibleRows(visibility, { limits: [], confined: ['skill_id', ({ skillIds }) => skillIds] });
    where.add('skill_id = ?', skillId);
    const [texts] = await this.database
      .of(visibility.hostId)
      .query<SkillTexts>(
        `SELECT name, description, content_markdown AS "contentMarkdown" FROM skill_read ${where.sql()}`,
        where.values,
      );
    if (texts === undefined) throw new NotFound('skill', skillId);
    return texts;
  }

  /** Reads the workflows in the shape and order of the catalog. */
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

  /** Reads the skill's active tools that the reader may see, each at the version that the skill is given. */
  private async toolsOf(visibility: Visibility, skillId: string): Promise<PreviewedTool[]> {
    const where = visibleRows(visibility, { limits: ['services', 'environments', 'tiers'] });
    where.add('skill_id = ?', skillId);
    return this.database.of(visibility.hostId).query<PreviewedTool>(
      `SELECT tool_id AS "toolId", name, coalesce(content ->> 'description', description) AS description,
              access_level AS "accessLevel", config, coalesce(content -> 'params', params) AS params,
              coalesce(content -> 'inputSchema', input_schema) AS "inputSchema"
       FROM (
         SELECT t.*, l.skill_id, l.access_level, l.config, k.content
         FROM skill_tool_read l JOIN tool_read t ON t.host_id = l.host_id AND t.tool_id = l.tool_id
         JOIN skill_tool_version_read k ON k.host_id = l.host_id AND k.skill_id = l.skill_id AND k.tool_id = l.tool_id
         LEFT JOIN endpoint_read e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
         WHERE l.active AND t.active AND coalesce(e.active, t.endpoint_id IS NULL)) AS linked
       ${where.sql()} ORDER BY name COLLATE "C", tool_id`,
      where.values,
    );
  }
}

function previewOf(
  skillId: string,
  skill: PreviewedSkill,
  about: { readonly given: boolean; readonly workflows: readonly object[] },
  { prompt: asked = '' }: PreviewBody,
): PreviewAnswer {
  const prompt = about.given ? promptOf(skill) : '';
  const html = safeHtml(skill.contentMarkdown);
  const tools = skill.tools.map((tool) => ({
    ...{
      toolId: tool.toolId,
      name: tool.name,
      description: descriptionOf(tool),
      accessLevel: tool.accessLevel,
    },
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

@Controller('v1/hosts/:hostId/skills/:skillId/preview')
export class PreviewsController extends SharedRoute {
  constructor(private readonly previews: Previews) {
    super();
  }

  answerAnywhere({ writer: { caller, visibility, context }, params, body }: SharedRequest): Promise<object> {
    const reader = { caller, visibility, requestId: context.correlationId };
    return this.previews.of(reader, params['skillId'] ?? '', body);
  }

  @Post()
  @Operation({
    id: 'previewSkill',
    reads: true,
    summary: 'Look at a skill as an agent would',
    description:
      'The text that it puts into a prompt, the tools that may be called, how much room both take, and what serves ' +
      'an agent badly. With `agentDefId`, as that agent is given it: what is withheld from it is left out.',
    scope: 'catalog:read',
    body: previewBody,
    answer: previewAnswer,
    example: { body: { prompt: 'How much is on my account?' }, answer: previewExample },
  })
  preview(@ReaderOf() reader: Reader, @Param('skillId') skillId: string, @Body() body: PreviewBody) {
    return this.previews.of(reader, skillId, body);
  }
}
