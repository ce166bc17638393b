import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ToolPublicationController } from './tool-publication.controller.js';
import { ToolsController } from './tools.controller.js';
import { GetToolHandler, ListToolParamsHandler, ListToolsHandler } from './tools.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [ToolPublicationController, ToolsController],
  providers: [ListToolsHandler, GetToolHandler, ListToolParamsHandler],
})
export class ToolsModule {}
