import { Body, Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WriteContext } from '../eventsourcing/command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipts } from '../platform/http/replies.js';
import { redacted } from '../platform/validation/redacted-texts.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { WriteCommand } from '../platform/use-cases/write-command.js';
import { checkLessons, planExamples } from './tool-examples.planner.js';
import { publicationAnswer, toolBatchAnswer } from './tool-answers.schemas.js';
import {
  apiVersionExampleId,
  endpointExampleId,
  toolExampleId,
  toolReceiptExample,
} from './tool.examples.js';
import { PublicationRequest } from './tool-publication.batch.js';
import { exampleLessons, publication, type ExampleLessons, type PublicationBody } from './tool.schemas.js';
import { inReceipt } from './tools.controller.js';

/** Writes on many tools at once. */
@Controller('v1/hosts/:hostId/tools')
export class ToolPublicationController {
  constructor(private readonly commandBus: CommandBus) {}

  @Post('publish')
  @Operation({
    id: 'publishTools',
    summary: 'Publish endpoints as tools',
    description:
      'What is published already stays as it is. An endpoint whose name another active tool of its environment ' +
      'has is reported, or gets the API’s id in front with `onConflict: prefix`; all others are published.',
    scope: 'catalog:write',
    batch: true,
    body: publication,
    answer: publicationAnswer,
    example: {
      body: { filter: { apiVersionId: apiVersionExampleId } },
      answer: {
        ...{ published: 1, unchanged: 0, conflicts: [], leftOut: [], withheld: [], position: 12 },
        items: [{ ...toolReceiptExample, endpointId: endpointExampleId }],
      },
    },
  })
  publish(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Body() body: PublicationBody,
  ): Promise<Reply> {
    const request = new PublicationRequest(visibility, body);
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'optimistic',
        plan: (sql) => request.plan(sql),
        stillHolds: (sql) => request.stillHolds(sql),
        reply: (outcomes, position) => request.reply(outcomes, position),
      }),
    );
  }

  @Post('examples')
  @Operation({
    id: 'teachTools',
    summary: 'Add or replace example prompts of many tools',
    description: 'What people say when they want a tool. All or none; a tool keeps at most 200.',
    scope: 'catalog:write',
    batch: true,
    body: exampleLessons,
    answer: toolBatchAnswer,
    example: {
      body: { items: [{ toolName: 'getAccountByNo', prompts: ['how much is on this account'] }] },
      answer: {
        items: [{ ...toolReceiptExample, id: toolExampleId, version: 2, position: 13 }],
        position: 13,
      },
    },
  })
  async teach(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Body() sent: ExampleLessons,
  ): Promise<Reply> {
    checkLessons(sent);
    const { body, warnings } = await redacted(sent);
    const told = warnings.length > 0 ? { warnings } : {};
    const plan = (sql: Parameters<typeof planExamples>[0]) => planExamples(sql, visibility, body);
    return this.commandBus.execute(
      new WriteCommand({ context, mode: 'locked', plan, reply: receipts(200, inReceipt, told) }),
    );
  }
}
