import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { refuseUnfitAddresses } from '../gateways/gateway-address.js';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { WriteWebhook } from './webhook.commands.js';
import type { WebhookState } from './webhook.decider.js';
import { deliveryExample, newWebhookExample, webhookExample, webhookReceipt } from './webhook.examples.js';
import {
  deliveryAnswer,
  deliveryListQuery,
  replayAnswer,
  webhookAnswer,
  webhookBody,
  webhookListQuery,
  type DeliveryListQuery,
  type WebhookBody,
  type WebhookListQuery,
} from './webhook.schemas.js';
import { planDeletion, planReplay } from './webhook.planner.js';
import { GetDelivery, ListDeliveries } from './webhook-deliveries.queries.js';
import { GetWebhook, ListWebhooks } from './webhooks.queries.js';

const administered = { scope: 'catalog:admin', confined: 'refused' } as const;

/** Notices about changes of a host's catalog. They are host-wide, and say nothing of what has changed. */
@Controller('v1/hosts/:hostId/webhooks')
export class WebhooksController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listWebhooks',
    summary: 'List webhooks',
    ...administered,
    query: webhookListQuery,
    answer: listAnswer(webhookAnswer),
    example: { answer: { items: [webhookExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: WebhookListQuery) {
    return this.queryBus.execute(new ListWebhooks(visibility, query));
  }

  @Get(':webhookId')
  @Operation({
    id: 'getWebhook',
    summary: 'Get a webhook',
    ...administered,
    answer: webhookAnswer,
    example: { answer: webhookExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('webhookId') webhookId: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetWebhook(visibility, webhookId)));
  }

  @Put(':webhookId')
  @Operation({
    id: 'putWebhook',
    summary: 'Write a webhook',
    description:
      'Each change of the host’s catalog is told to it by a CloudEvent `catalog-changed` with the position, and nothing ' +
      'else, signed as Standard Webhooks does. Changes that come close together are told once. Every attempt passes the ' +
      'outbound guard.',
    ...administered,
    creates: true,
    body: webhookBody,
    answer: receiptAnswer,
    example: { body: newWebhookExample, answer: webhookReceipt },
  })
  async put(
    @Context() context: WriteContext,
    @Param('webhookId') webhookId: string,
    @Body() body: WebhookBody,
  ): Promise<Reply> {
    await refuseUnfitAddresses(body, [{ pointer: '/url', address: body.url }]);
    return this.write({
      context,
      mode: 'locked',
      plan: () => [new WriteWebhook(context.hostId, webhookId, body)],
      reply: (outcomes, position) => {
        const before = outcomes[0]?.before as WebhookState;
        return receipt(before === null ? 201 : 200)(outcomes, position);
      },
    });
  }

  @Delete(':webhookId')
  @Operation({
    id: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: 'What was not delivered to it yet is forgotten.',
    ...administered,
    answer: receiptAnswer,
    example: { answer: { ...webhookReceipt, version: 2, position: 60 } },
  })
  delete(@Context() context: WriteContext, @Param('webhookId') webhookId: string): Promise<Reply> {
    const plan: Write['plan'] = (sql) => planDeletion(sql, context.hostId, webhookId);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  @Get(':webhookId/deliveries')
  @Operation({
    id: 'listWebhookDeliveries',
    summary: 'List what is to be delivered to a webhook, and what was given up',
    description: 'Oldest first. What has arrived is in no list.',
    ...administered,
    query: deliveryListQuery,
    answer: listAnswer(deliveryAnswer),
    example: { query: { state: 'dead' }, answer: { items: [deliveryExample] } },
  })
  async deliveries(
    @VisibleTo() visibility: Visibility,
    @Param('webhookId') webhookId: string,
    @Query() query: DeliveryListQuery,
  ) {
    await this.queryBus.execute(new GetWebhook(visibility, webhookId));
    return this.queryBus.execute(new ListDeliveries(visibility, webhookId, query));
  }

  @Get(':webhookId/deliveries/:deliveryId')
  @Operation({
    id: 'getWebhookDelivery',
    summary: 'Get what is to be delivered to a webhook, or was given up',
    ...administered,
    answer: deliveryAnswer,
    example: { answer: deliveryExample },
  })
  async delivery(
    @VisibleTo() visibility: Visibility,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    await this.queryBus.execute(new GetWebhook(visibility, webhookId));
    return this.queryBus.execute(new GetDelivery(visibility, webhookId, deliveryId));
  }

  @Post(':webhookId/deliveries/:deliveryId/replay')
  @Operation({
    id: 'replayWebhookDelivery',
    summary: 'Deliver a dead letter again',
    ...administered,
    batch: true,
    answer: replayAnswer,
    example: { answer: { replayed: 1 } },
  })
  replay(
    @WriterOf() writer: Writer,
    @Param('webhookId') webhookId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<Reply> {
    return this.deliverAgain(writer, webhookId, deliveryId);
  }

  @Post(':webhookId/replay')
  @Operation({
    id: 'replayWebhook',
    summary: 'Deliver all dead letters of a webhook again',
    ...administered,
    batch: true,
    answer: replayAnswer,
    example: { answer: { replayed: 3 } },
  })
  replayAll(@WriterOf() writer: Writer, @Param('webhookId') webhookId: string): Promise<Reply> {
    return this.deliverAgain(writer, webhookId);
  }

  private async deliverAgain(
    { context, visibility }: Writer,
    webhookId: string,
    deliveryId?: string,
  ): Promise<Reply> {
    await this.queryBus.execute(new GetWebhook(visibility, webhookId));
    let replayed = 0;
    return this.write({
      context,
      mode: 'locked',
      plan: async (sql) => {
        replayed = await planReplay(sql, context.hostId, webhookId, deliveryId);
        return [];
      },
      reply: () => ({ status: 200, headers: {}, body: JSON.stringify({ replayed }) }),
    });
  }

  private write(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}
