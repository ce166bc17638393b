import { Module } from '@nestjs/common';
import { EffectiveCatalogModule } from '../effective-catalog/effective-catalog.module.js';
import { GraphQueries } from './graph.lookup.js';
import { GraphScopes } from './graph-scopes.service.js';
import { GraphController } from './graph.controller.js';

@Module({
  imports: [EffectiveCatalogModule],
  controllers: [GraphController],
  providers: [GraphQueries, GraphScopes],
  exports: [GraphQueries],
})
export class GraphModule {}
