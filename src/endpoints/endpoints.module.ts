import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ApiVersionsController } from './api-versions.controller.js';
import { GetApiVersionHandler, ListApiVersionsHandler } from './api-versions.queries.js';
import { ApisController } from './apis.controller.js';
import { GetApiHandler, ListApisHandler } from './apis.queries.js';
import { EndpointsController } from './endpoints.controller.js';
import { GetEndpointHandler, ListEndpointsHandler } from './endpoints.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [ApisController, ApiVersionsController, EndpointsController],
  providers: [
    ListApisHandler,
    GetApiHandler,
    ListApiVersionsHandler,
    GetApiVersionHandler,
    ListEndpointsHandler,
    GetEndpointHandler,
  ],
})
export class EndpointsModule {}
