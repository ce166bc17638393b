import { Controller, Get, Inject, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { NotFound } from '../../kernel/errors.js';
import { DATABASE, type Database } from '../../kernel/sql.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { Operation } from '../../platform/http/operation.js';
import { VisibleTo } from '../../platform/http/parameters.js';
import { versionTag } from '../../platform/http/replies.js';
import { located } from '../../platform/records/record-routes.js';
import { writeRoute } from '../../platform/records/routes.js';
import { keptReplyOf } from '../../platform/use-cases/use-case.js';
import {
  exportQuery,
  importAnswer,
  importBody,
  importQuery,
  skillDocument,
  type ExportQuery,
} from './skill-document.schemas.js';
import { DraftSkill, draftAnswer, draftBody } from '../drafts/skill-draft.planner.js';
import { exportedSkill, writeSkill } from './skill-export.lookup.js';
import { ImportSkill } from './skill-import.planner.js';
import { skillDocumentExample, skillReceipt, toolExampleId } from '../skill.examples.js';

@Controller('v1/hosts/:hostId/skills/:skillId/export')
class SkillExportController {
  constructor(@Inject(DATABASE) private readonly database: Database) {}

  @Get()
  @Operation({
    id: 'exportSkill',
    summary: 'Export a skill',
    description:
      'As a structured document that names tools, categories, tags and skills by what they are called everywhere; or ' +
      'as SKILL.md, alone or with its folder. A skill that was imported as a folder gives its frontmatter and files back ' +
      'as they were. Importing an export changes nothing.',
    scope: 'catalog:read',
    confined: 'refused',
    query: exportQuery,
    answer: skillDocument,
    example: { query: { format: 'json' }, answer: skillDocumentExample },
  })
  async export(
    @VisibleTo() visibility: Visibility,
    @Param('skillId') skillId: string,
    @Query() { format }: ExportQuery,
    @Res({ passthrough: true }) response: FastifyReply,
  ): Promise<Buffer> {
    const exported = await exportedSkill(this.database.of(visibility.hostId), visibility, skillId);
    if (exported === undefined) throw new NotFound('skill', skillId);
    const { mediaType, fileName, body } = await writeSkill(exported, format);
    void response
      .header('content-type', mediaType)
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .header('x-content-type-options', 'nosniff');
    return body;
  }
}

const importRoute = writeRoute(
  [Post, 'skills/import'],
  {
    id: 'importSkill',
    summary: 'Import a skill',
    description:
      'A structured document in JSON or YAML, a SKILL.md, or its folder: as files, or packed as zip, tar or tar.gz. ' +
      'A skill of the same name is changed, else one is made: 201. A structured document says all of the tools of the ' +
      'skill; the `allowed-tools` of a SKILL.md are linked beside those that it has. What is not in the catalog is ' +
      'reported in `unresolved`. Categories and tags that the host has not are made with `createTaxonomy`; a SKILL.md ' +
      'names them as `tags` and `categories`, for a skill that nobody has classified.',
    scope: 'catalog:write',
    creates: true,
    confined: 'refused',
    upload: 'folder',
    query: importQuery,
    body: importBody,
    answer: importAnswer,
    example: {
      body: { document: skillDocumentExample },
      answer: {
        ...skillReceipt,
        created: true,
        name: skillDocumentExample.name,
        tools: [],
        unresolved: [],
        taxonomyCreated: [],
        warnings: [],
      },
    },
  },
  ImportSkill,
  (imported, { hostId = '' }) => {
    const { isDryRun, ...body } = imported;
    const isMade = body.created && !isDryRun;
    const location = `/v1/hosts/${hostId}/skills/${body.id}`;
    return (
      keptReplyOf(imported) ?? {
        status: isMade ? 201 : 200,
        headers: { etag: versionTag(body.version), ...(isMade && { location }) },
        body: JSON.stringify(body),
      }
    );
  },
);

const draftRoute = writeRoute(
  [Post, 'skills/from-tools'],
  {
    id: 'draftSkillFromTools',
    summary: 'Draft a skill from tools',
    description:
      'Makes an inactive skill that links the tools and lists them, each at the least access level that admits it; with ' +
      '`starterWorkflow` also a draft of a workflow. ' +
      'Refused with `tool_not_found`, `no_tools`, `too_many_tools`.',
    scope: 'catalog:write',
    body: draftBody,
    status: 201,
    batch: true,
    answer: draftAnswer,
    example: {
      body: { toolIds: [toolExampleId] },
      answer: {
        ...{ ...skillReceipt, position: 14, name: 'Account API', active: false },
        tools: [{ toolId: toolExampleId, name: 'getAccountByNo', accessLevel: 'read' }],
      },
    },
  },
  DraftSkill,
  located('skills'),
);

/** Skills as documents, as the folders that agents take in, and as drafts from tools. */
export const skillDocumentRoutes = [SkillExportController, importRoute, draftRoute];
