import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { WebhookSender } from './webhook-sender.service.js';
import { WebhooksController } from './webhooks.controller.js';
import { GetDeliveryHandler, ListDeliveriesHandler } from './webhook-deliveries.queries.js';
import { GetWebhookHandler, ListWebhooksHandler } from './webhooks.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [WebhooksController],
  providers: [
    WebhookSender,
    ListWebhooksHandler,
    GetWebhookHandler,
    ListDeliveriesHandler,
    GetDeliveryHandler,
  ],
})
export class WebhooksModule {}
