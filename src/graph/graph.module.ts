import { Module } from '@nestjs/common';
import { EffectiveCatalogModule } from '../effective-catalog/effective-catalog.module.js';
import { GraphQueries } from './graph-query.service.js';
import { GraphScopes } from './graph-scopes.service.js';
import { GraphController } from './graph.controller.js';
import { GraphReader } from './graph.lookup.js';
import { QueryRates } from './query-rates.service.js';

@Module({
  imports: [EffectiveCatalogModule],
  controllers: [GraphController],
  providers: [GraphQueries, GraphReader, GraphScopes, QueryRates],
  exports: [GraphReader],
})
export class GraphModule {}
