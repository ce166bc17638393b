import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { apiVersionReadRoutes } from './api-version/api-version.routes.js';
import { apiHandlers, apiRoutes } from './api/api.record.js';
import { endpointHandlers, endpointRoutes } from './endpoint/endpoint.routes.js';
import { UnreadEndpoints } from './endpoint/unread-endpoints.service.js';

@Module({
  imports: [CqrsModule],
  controllers: [...apiRoutes, ...apiVersionReadRoutes, ...endpointRoutes],
  providers: [...apiHandlers, ...endpointHandlers, UnreadEndpoints],
})
export class EndpointsModule {}
