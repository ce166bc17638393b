import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ApiSwitchController } from './api-switch.controller.js';
import { ToolParamsController } from './tool-params.controller.js';
import { ToolPublicationController } from './tool-publication.controller.js';
import { ToolTaxonomyController } from './tool-taxonomy.controller.js';
import { GetToolTaxonomyHandler } from './tool-taxonomy.queries.js';
import { ToolsController } from './tools.controller.js';
import {
  GetToolHandler,
  GetToolParamHandler,
  ListToolParamsHandler,
  ListToolsHandler,
} from './tools.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [
    ApiSwitchController,
    ToolParamsController,
    ToolPublicationController,
    ToolsController,
    ToolTaxonomyController,
  ],
  providers: [
    ListToolsHandler,
    GetToolHandler,
    ListToolParamsHandler,
    GetToolParamHandler,
    GetToolTaxonomyHandler,
  ],
})
export class ToolsModule {}
