import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Command, Reply, WriteContext } from '../eventsourcing/command.js';
import type { Sql } from '../eventsourcing/sql.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { endpointExample, endpointExampleId, listedEndpointExample, receiptExample } from './api.examples.js';
import { planActivation, planDeactivation, planOverride } from './endpoint.planner.js';
import {
  endpointAnswer,
  endpointListQuery,
  endpointPatch,
  listedEndpoint,
  type EndpointListQuery,
  type EndpointPatch,
} from './endpoint.schemas.js';
import { GetEndpoint, ListEndpoints } from './endpoints.queries.js';

const written = { ...receiptExample, id: endpointExampleId, version: 2, position: 9 };

@Controller('v1/hosts/:hostId/endpoints')
export class EndpointsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listEndpoints',
    summary: 'List endpoints',
    scope: 'catalog:read',
    query: endpointListQuery,
    answer: listAnswer(listedEndpoint),
    example: { query: { domain: 'finance.accounts' }, answer: { items: [listedEndpointExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: EndpointListQuery) {
    return this.queryBus.execute(new ListEndpoints(visibility, query));
  }

  @Get(':endpointId')
  @Operation({
    id: 'getEndpoint',
    summary: 'Get an endpoint',
    description: 'Its effective value, the layer that each field came from, and what every layer says.',
    scope: 'catalog:read',
    answer: endpointAnswer,
    example: { answer: endpointExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('endpointId') endpointId: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetEndpoint(visibility, endpointId)));
  }

  @Patch(':endpointId')
  @Operation({
    id: 'updateEndpoint',
    summary: "Write the operator's words on an endpoint",
    description:
      'They win over every document and survive re-import; null takes one back. Lowering the sensitivity tier, ' +
      'clearing a safety flag and setting an approval workflow also need catalog:admin.',
    scope: 'catalog:write',
    body: endpointPatch,
    answer: receiptAnswer,
    example: { body: { routing: { domain: 'finance.accounts' } }, answer: written },
  })
  update(
    @WriterOf() writer: Writer,
    @Param('endpointId') endpointId: string,
    @Body() body: EndpointPatch,
  ): Promise<Reply> {
    return this.write(writer.context, (sql) => planOverride(sql, writer, endpointId, body));
  }

  @Post(':endpointId/deactivate')
  @Operation({
    id: 'deactivateEndpoint',
    summary: 'Switch an endpoint off',
    description: 'Its tool is no longer offered. Survives re-import, until the endpoint is activated again.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: written },
  })
  deactivate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('endpointId') endpointId: string,
  ): Promise<Reply> {
    return this.write(context, (sql) => planDeactivation(sql, visibility, endpointId));
  }

  @Post(':endpointId/activate')
  @Operation({
    id: 'activateEndpoint',
    summary: 'Take back the deactivation of an endpoint',
    description: 'An endpoint that has vanished from its source stays inactive until it returns there.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: written },
  })
  activate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('endpointId') endpointId: string,
  ): Promise<Reply> {
    return this.write(context, (sql) => planActivation(sql, visibility, endpointId));
  }

  private write(context: WriteContext, plan: (sql: Sql) => Promise<Command[]>): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply: receipt(200) }));
  }
}
