import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { Previews, PreviewsController } from './previews.routes.js';
import { ToolConsolidation, ToolConsolidationController } from './tool-consolidation.routes.js';
import { SpecSchemasController, ToolLint, ToolLintController } from './tool-lint.routes.js';

@Module({
  imports: [SearchModule],
  controllers: [PreviewsController, ToolConsolidationController, ToolLintController, SpecSchemasController],
  providers: [Previews, ToolConsolidation, ToolLint],
  exports: [ToolConsolidation, ToolLint],
})
export class PreviewsModule {}
