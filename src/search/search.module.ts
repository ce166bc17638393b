import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CONFIG } from '../platform/config/config.js';
import { Outbound } from '../platform/network/outbound.js';
import { AgentSearch, CatalogSearch } from './catalog-search.lookup.js';
import { configuredProvider, FORMER_EMBEDDINGS, formerProviders } from './embeddings/configured.provider.js';
import { EMBEDDINGS } from './embeddings/embedding.provider.js';
import { EmbeddingWorker } from './embeddings/embedding.worker.js';
import { EmbeddingsController } from './embeddings/embeddings.routes.js';
import { EvaluationsController, EvaluationSetsController } from './evaluation/evaluations.routes.js';
import { EvaluatedCatalogs } from './evaluation/evaluated-catalogs.service.js';
import { Evaluations } from './evaluation/evaluations.service.js';
import { RankingPool } from './evaluation/paged-ranking.pool.js';
import { HostIndexes } from './host-search/host-indexes.service.js';
import { HostSearch } from './host-search/host-search.service.js';
import { ImportersModule } from '../importers/importers.module.js';
import { PromptVectors } from './embeddings/prompt-vectors.service.js';
import { SearchController } from './search.controller.js';

/** Finds the right tool for a prompt: in an agent's catalog, or in all of a host. */
@Module({
  imports: [CqrsModule, ImportersModule],
  controllers: [SearchController, EmbeddingsController, EvaluationsController, EvaluationSetsController],
  providers: [
    { provide: EMBEDDINGS, useFactory: configuredProvider, inject: [CONFIG, Outbound] },
    { provide: FORMER_EMBEDDINGS, useFactory: formerProviders, inject: [CONFIG, Outbound] },
    PromptVectors,
    EmbeddingWorker,
    AgentSearch,
    HostIndexes,
    HostSearch,
    CatalogSearch,
    { provide: RankingPool, useFactory: () => new RankingPool() },
    EvaluatedCatalogs,
    Evaluations,
  ],
  exports: [CatalogSearch, RankingPool],
})
export class SearchModule {}
