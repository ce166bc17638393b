import { Body, Controller, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Command, WriteContext } from '../eventsourcing/command.js';
import { DATABASE, type Database, type Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { redacted } from '../platform/validation/redacted-texts.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { WriteCommand } from '../platform/use-cases/write-command.js';
import { endpointExample, endpointExampleId, listedEndpointExample, receiptExample } from './api.examples.js';
import {
  planAcceptance,
  planActivation,
  planDeactivation,
  planOverride,
  planSettlement,
} from './endpoint.planner.js';
import {
  endpointAnswer,
  endpointListQuery,
  endpointPatch,
  endpointWordsReceipt,
  listedEndpoint,
  settlement,
  type EndpointListQuery,
  type EndpointPatch,
  type SettlementBody,
} from './endpoint.schemas.js';
import { GetEndpoint, ListEndpoints } from './endpoints.queries.js';
import { ImpactLookup } from './impact.lookup.js';
import { deactivationAnswer, impactAnswer, impactExample, type Impact } from './impact.schemas.js';

const written = { ...receiptExample, id: endpointExampleId, version: 2, position: 9 };

@Controller('v1/hosts/:hostId/endpoints')
export class EndpointsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
    private readonly impacts: ImpactLookup,
    @Inject(DATABASE) private readonly database: Database,
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
      'clearing a safety flag and setting an approval workflow also need catalog:admin. Secrets are replaced, with a ' +
      'warning.',
    scope: 'catalog:write',
    body: endpointPatch,
    answer: endpointWordsReceipt,
    example: { body: { routing: { domain: 'finance.accounts' } }, answer: written },
  })
  async update(
    @WriterOf() writer: Writer,
    @Param('endpointId') endpointId: string,
    @Body() sent: EndpointPatch,
  ): Promise<Reply> {
    const { body, warnings } = await redacted(sent);
    const more = () => (warnings.length > 0 ? { warnings } : {});
    return this.write(writer.context, (sql) => planOverride(sql, writer, endpointId, body), more);
  }

  @Get(':endpointId/impact')
  @Operation({
    id: 'getEndpointImpact',
    summary: 'What would change if an endpoint went inactive',
    description: 'Cut to what the token covers; empty where it is inactive already.',
    scope: 'catalog:read',
    answer: impactAnswer,
    example: { answer: impactExample },
  })
  async impact(
    @VisibleTo() visibility: Visibility,
    @Param('endpointId') endpointId: string,
  ): Promise<Impact> {
    await this.queryBus.execute(new GetEndpoint(visibility, endpointId));
    return this.impacts.of(this.database.of(visibility.hostId), visibility, {
      kind: 'endpoint',
      id: endpointId,
    });
  }

  @Post(':endpointId/deactivate')
  @Operation({
    id: 'deactivateEndpoint',
    summary: 'Switch an endpoint off',
    description:
      'Its tool is no longer offered. Survives re-import, until the endpoint is activated again. The answer says whom ' +
      'it hits.',
    scope: 'catalog:write',
    answer: deactivationAnswer,
    example: { answer: { ...written, impact: impactExample } },
  })
  async deactivate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('endpointId') endpointId: string,
  ): Promise<Reply> {
    const impact = await this.impacts.of(this.database.of(visibility.hostId), visibility, {
      kind: 'endpoint',
      id: endpointId,
    });
    const plan = (sql: Sql) => planDeactivation(sql, visibility, endpointId);
    return this.write(context, plan, () => ({ impact }));
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

  @Post(':endpointId/conflicts/settle')
  @Operation({
    id: 'settleEndpointConflict',
    summary: 'Settle a conflict about a field',
    description:
      'With `operator` your word stays, and what stands beneath it is accepted; with the layer that makes the offer ' +
      'your word goes. How an endpoint is called (method, path, inputSchema, routing.parameters) is never taken from ' +
      'an enrichment: naming the layer in force turns the offers down until they change. Refused with `no_conflict`, ' +
      '`not_offered`, `invocation_not_taken`. What loosens a guard needs catalog:admin.',
    scope: 'catalog:write',
    body: settlement,
    answer: receiptAnswer,
    example: { body: { field: 'description', take: 'source' }, answer: written },
  })
  settle(
    @WriterOf() writer: Writer,
    @Param('endpointId') endpointId: string,
    @Body() body: SettlementBody,
  ): Promise<Reply> {
    return this.write(writer.context, (sql) => planSettlement(sql, writer, endpointId, body));
  }

  @Post(':endpointId/changes/accept')
  @Operation({
    id: 'acceptEndpointChanges',
    summary: 'Accept what the documents say now',
    description:
      'For an endpoint without a tool; accepting the changes of a tool does the same for its endpoint. A guard that a ' +
      'document loosens and that is held needs catalog:admin, and so does a suspicious change.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: written },
  })
  accept(@WriterOf() writer: Writer, @Param('endpointId') endpointId: string): Promise<Reply> {
    return this.write(writer.context, (sql) => planAcceptance(sql, writer, endpointId));
  }

  private write(
    context: WriteContext,
    plan: (sql: Sql) => Promise<Command[]>,
    more?: () => object,
  ): Promise<Reply> {
    const reply = receipt(200, more);
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply }));
  }
}
