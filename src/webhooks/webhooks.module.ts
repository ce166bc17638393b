import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { WebhookSender } from './webhook-sender.service.js';
import { webhookDeliveryHandlers, webhookDeliveryRoutes } from './webhook-delivery.routes.js';
import { webhookHandlers, webhookRoutes } from './webhook.record.js';

@Module({
  imports: [CqrsModule],
  controllers: [...webhookRoutes, ...webhookDeliveryRoutes],
  providers: [WebhookSender, ...webhookHandlers, ...webhookDeliveryHandlers],
})
export class WebhooksModule {}
