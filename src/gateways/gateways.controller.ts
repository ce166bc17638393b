import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { refuseUnfitAddresses } from './gateway-address.js';
import type { GatewayState } from './gateway.decider.js';
import { gatewayExample, gatewayReceipt, newGatewayExample } from './gateway.examples.js';
import { planActivation, planDeactivation, planGateway } from './gateway.planner.js';
import {
  gatewayAnswer,
  gatewayBody,
  gatewayListQuery,
  type GatewayBody,
  type GatewayListQuery,
} from './gateway.schemas.js';
import { GetGateway, ListGateways } from './gateways.queries.js';

@Controller('v1/hosts/:hostId/gateways')
export class GatewaysController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listGateways',
    summary: 'List gateways',
    description: 'Those whose service and environment the token covers, ordered by service.',
    scope: 'catalog:admin',
    query: gatewayListQuery,
    answer: listAnswer(gatewayAnswer),
    example: { query: { envTag: 'dev' }, answer: { items: [gatewayExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: GatewayListQuery) {
    return this.queryBus.execute(new ListGateways(visibility, query));
  }

  @Get(':gatewayId')
  @Operation({
    id: 'getGateway',
    summary: 'Get a gateway',
    scope: 'catalog:admin',
    answer: gatewayAnswer,
    example: { answer: gatewayExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('gatewayId') gatewayId: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetGateway(visibility, gatewayId)));
  }

  @Put(':gatewayId')
  @Operation({
    id: 'putGateway',
    summary: 'Register a gateway, or change it',
    description:
      'Writes the whole profile: 201 where it is new; what is left out takes its default. Host, service and ' +
      'environment identify a gateway: a second active one is refused with `gateway_exists`, and a known one can’t ' +
      'move to another (`gateway_identity_fixed`). No connection is made.',
    scope: 'catalog:admin',
    creates: true,
    body: gatewayBody,
    answer: receiptAnswer,
    example: { body: newGatewayExample, answer: gatewayReceipt },
  })
  async put(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
    @Body() body: GatewayBody,
  ): Promise<Reply> {
    await refuseUnfitAddresses(body, [{ pointer: '/url', address: body.url }]);
    return this.write({
      context,
      mode: 'locked',
      plan: (sql) => planGateway(sql, visibility, gatewayId, body),
      reply: (outcomes, position) => {
        const before = outcomes[0]?.before as GatewayState;
        return receipt(before.status === 'unknown' ? 201 : 200)(outcomes, position);
      },
    });
  }

  @Post(':gatewayId/activate')
  @Operation({
    id: 'activateGateway',
    summary: 'Activate a gateway',
    description: 'Refused with `gateway_exists` where another one has taken its service and environment.',
    scope: 'catalog:admin',
    answer: receiptAnswer,
    example: { answer: { ...gatewayReceipt, version: 3, position: 31 } },
  })
  activate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
  ): Promise<Reply> {
    const plan: Write['plan'] = (sql) => planActivation(sql, visibility, gatewayId);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  @Post(':gatewayId/deactivate')
  @Operation({
    id: 'deactivateGateway',
    summary: 'Deactivate a gateway',
    description: 'Its exposures stay and no longer count; it is not checked any more.',
    scope: 'catalog:admin',
    answer: receiptAnswer,
    example: { answer: { ...gatewayReceipt, version: 2, position: 30 } },
  })
  deactivate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('gatewayId') gatewayId: string,
  ): Promise<Reply> {
    const plan: Write['plan'] = (sql) => planDeactivation(sql, visibility, gatewayId);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  private write(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}
