import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { WriteCommand } from '../platform/use-cases/write-command.js';
import {
  exportQuery,
  importAnswer,
  importBody,
  importQuery,
  skillDocument,
  type ExportQuery,
  type ImportOptions,
} from './skill-document.schemas.js';
import { writeSkill } from './skill-export.service.js';
import { ExportSkill } from './skill-exports.queries.js';
import { SkillImport } from './skill-import.planner.js';
import { readSkill } from './skill-reading.service.js';
import { skillDocumentExample, skillReceipt } from './skill.examples.js';

/** Skills as documents, and as the folders that agents take in. */
@Controller('v1/hosts/:hostId/skills')
export class SkillDocumentsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get(':skillId/export')
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
    const exported = await this.queryBus.execute(new ExportSkill(visibility, skillId));
    const { mediaType, fileName, body } = await writeSkill(exported, format);
    void response
      .header('content-type', mediaType)
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .header('x-content-type-options', 'nosniff');
    return body;
  }

  @Post('import')
  @Operation({
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
      },
    },
  })
  async import(
    @WriterOf() writer: Writer,
    @Req() request: FastifyRequest<{ Querystring: ImportOptions }>,
    @Body() body: Buffer,
  ): Promise<Reply> {
    const offered = await readSkill(body, request.headers['content-type'] ?? '', request.query);
    const taken = new SkillImport(writer, offered);
    return this.commandBus.execute(
      new WriteCommand({
        context: writer.context,
        mode: 'locked',
        dry: offered.dryRun,
        plan: (sql) => taken.plan(sql),
        reply: (outcomes, position) => taken.reply(outcomes, position),
      }),
    );
  }
}
