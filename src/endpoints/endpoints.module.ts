import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ExportApiVersionHandler } from './api-version-export.queries.js';
import { ApiVersionsController } from './api-versions.controller.js';
import { GetApiVersionHandler, ListApiVersionsHandler } from './api-versions.queries.js';
import { ApisController } from './apis.controller.js';
import { GetApiHandler, ListApisHandler } from './apis.queries.js';
import { EndpointTaxonomyController } from './endpoint-taxonomy.controller.js';
import { GetEndpointTaxonomyHandler } from './endpoint-taxonomy.queries.js';
import { EndpointsController } from './endpoints.controller.js';
import { GetEndpointHandler, ListEndpointsHandler } from './endpoints.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [ApisController, ApiVersionsController, EndpointsController, EndpointTaxonomyController],
  providers: [
    ListApisHandler,
    GetApiHandler,
    ListApiVersionsHandler,
    GetApiVersionHandler,
    ExportApiVersionHandler,
    ListEndpointsHandler,
    GetEndpointHandler,
    GetEndpointTaxonomyHandler,
  ],
})
export class EndpointsModule {}
