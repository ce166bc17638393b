import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ExportApiVersionHandler } from './api-version-export.queries.js';
import { ApiVersionsController } from './api-versions.controller.js';
import { GetApiVersionHandler, ListApiVersionsHandler } from './api-versions.queries.js';
import { apiHandlers, apiRoutes } from './api.record.js';
import { EndpointTaxonomyController } from './endpoint-taxonomy.controller.js';
import { GetEndpointTaxonomyHandler } from './endpoint-taxonomy.queries.js';
import { EndpointsController } from './endpoints.controller.js';
import { GetEndpointHandler, ListEndpointsHandler } from './endpoints.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [...apiRoutes, ApiVersionsController, EndpointsController, EndpointTaxonomyController],
  providers: [
    ...apiHandlers,
    ListApiVersionsHandler,
    GetApiVersionHandler,
    ExportApiVersionHandler,
    ListEndpointsHandler,
    GetEndpointHandler,
    GetEndpointTaxonomyHandler,
  ],
})
export class EndpointsModule {}
