import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { apiVersionReadRoutes } from './api-version.routes.js';
import { apiHandlers, apiRoutes } from './api.record.js';
import { endpointHandlers } from './endpoint.planner.js';
import { endpointRoutes } from './endpoint.routes.js';

@Module({
  imports: [CqrsModule],
  controllers: [...apiRoutes, ...apiVersionReadRoutes, ...endpointRoutes],
  providers: [...apiHandlers, ...endpointHandlers],
})
export class EndpointsModule {}
