import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Outcome, Reply, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipts, recordAnswer } from '../platform/http/replies.js';
import { listAnswer } from '../platform/http/schemas.js';
import type { ToolExposureCommand } from './exposure.commands.js';
import { planExposures } from './exposure.planner.js';
import {
  exposureAnswer,
  exposureListQuery,
  exposureReceiptsAnswer,
  exposureSelection,
  type ExposureBody,
  type ExposureListQuery,
  type ExposureSelection,
} from './exposure.schemas.js';
import { GetExposure, ListExposures } from './exposures.queries.js';
import { refuseUnfitAddresses, type PlacedAddress } from './gateway-address.js';
import { exposureExample, exposureReceipts, newExposureExample } from './gateway.examples.js';

@Controller('v1/hosts/:hostId/gateways/:gatewayId/exposures')
export class ExposuresController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listToolExposures',
    summary: 'List the tools that a gateway exposes',
    description: 'Ordered by the name of the tool; those that the token does not cover are left out.',
    scope: 'catalog:admin',
    query: exposureListQuery,
    answer: listAnswer(exposureAnswer),
    example: { answer: { items: [exposureExample] } },
  })
  list(
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
    @Query() query: ExposureListQuery,
  ) {
    return this.queryBus.execute(new ListExposures(visibility, gatewayId, query));
  }

  @Get(':toolId')
  @Operation({
    id: 'getToolExposure',
    summary: 'Get a tool of a gateway',
    description: 'Also where it was taken off: then `active` is false.',
    scope: 'catalog:admin',
    answer: exposureAnswer,
    example: { answer: exposureExample },
  })
  async get(
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
    @Param('toolId') toolId: string,
  ): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetExposure(visibility, gatewayId, toolId)));
  }

  @Put()
  @Operation({
    id: 'putToolExposures',
    summary: 'Select the tools that a gateway exposes',
    description:
      'The whole selection: what is no longer named is taken off. Refused with `tool_not_found`, ' +
      '`environment_mismatch` for a tool of another environment, and `exposure_name_taken` where two tools would be ' +
      'listed under one name. An inactive tool may be selected; it is left out of the configuration.',
    scope: 'catalog:admin',
    confined: 'refused',
    body: exposureSelection,
    batch: true,
    answer: exposureReceiptsAnswer,
    example: { body: { tools: [newExposureExample] }, answer: exposureReceipts },
  })
  async put(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
    @Body() { tools }: ExposureSelection,
  ): Promise<Reply> {
    await refuseUnfitAddresses(tools, tools.flatMap(targetOf));
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'locked',
        plan: (sql) => planExposures(sql, visibility, gatewayId, tools),
        reply: receipts(200, toolOf),
      }),
    );
  }
}

function toolOf({ command }: Outcome): { readonly toolId: string } {
  return { toolId: (command as ToolExposureCommand).payload.toolId };
}

function targetOf({ targetHost }: ExposureBody, index: number): PlacedAddress[] {
  if (targetHost === undefined) return [];
  return [{ pointer: `/tools/${String(index)}/targetHost`, address: targetHost }];
}
