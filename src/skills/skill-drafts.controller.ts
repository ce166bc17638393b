import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Operation } from '../platform/http/operation.js';
import { WriterOf, type Writer } from '../platform/http/parameters.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { WriteCommand } from '../platform/use-cases/write-command.js';
import { DraftRequest } from './skill-draft.planner.js';
import { draftAnswer, draftBody, type DraftBody } from './skill-draft.schemas.js';
import { skillReceipt, toolExampleId } from './skill.examples.js';

@Controller('v1/hosts/:hostId/skills/from-tools')
export class SkillDraftsController {
  constructor(private readonly commandBus: CommandBus) {}

  @Post()
  @Operation({
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
  })
  draft(@WriterOf() writer: Writer, @Body() body: DraftBody): Promise<Reply> {
    const request = new DraftRequest(writer, body);
    return this.commandBus.execute(
      new WriteCommand({
        context: writer.context,
        mode: 'locked',
        plan: (sql) => request.plan(sql),
        reply: (outcomes, position) => request.reply(outcomes, position),
      }),
    );
  }
}
