import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { WriteContext } from '../eventsourcing/command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { receiptAnswer } from '../platform/http/schemas.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { WriteCommand } from '../platform/use-cases/write-command.js';
import { selectionAnswer, selectionBody, type SelectionBody } from '../taxonomy/entity-taxonomy.schemas.js';
import { selectionAnswerExample, selectionExample, selectionReceipt } from '../taxonomy/taxonomy.examples.js';
import { GetEndpointTaxonomy } from './endpoint-taxonomy.queries.js';
import { endpointExampleId } from './api.examples.js';
import { planTaxonomy } from './endpoint-taxonomy.planner.js';

@Controller('v1/hosts/:hostId/endpoints/:endpointId/taxonomy')
export class EndpointTaxonomyController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'getEndpointTaxonomy',
    summary: 'Get the categories and tags of an endpoint',
    scope: 'catalog:read',
    answer: selectionAnswer,
    example: { answer: selectionAnswerExample('endpoint', endpointExampleId) },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('endpointId') endpointId: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetEndpointTaxonomy(visibility, endpointId)));
  }

  @Put()
  @Operation({
    id: 'putEndpointTaxonomy',
    summary: 'Say what the categories and tags of an endpoint are',
    description: 'All of them, in one event. Refused with `category_not_found` and `tag_not_found`.',
    scope: 'catalog:write',
    body: selectionBody,
    answer: receiptAnswer,
    example: { body: selectionExample, answer: selectionReceipt },
  })
  put(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('endpointId') endpointId: string,
    @Body() body: SelectionBody,
  ): Promise<Reply> {
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'locked',
        plan: (sql) => planTaxonomy(sql, visibility, endpointId, body),
        reply: receipt(200),
      }),
    );
  }
}
