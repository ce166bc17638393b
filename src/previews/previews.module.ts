import { Module } from '@nestjs/common';
import { SearchModule } from '../search/search.module.js';
import { Previews, PreviewsController } from './previews.routes.js';
import { SpecSchemasController, ToolLint, ToolLintController } from './tool-lint.routes.js';

@Module({
  imports: [SearchModule],
  controllers: [PreviewsController, ToolLintController, SpecSchemasController],
  providers: [Previews, ToolLint],
})
export class PreviewsModule {}
