import { Module } from '@nestjs/common';
import { CONFIG } from '../platform/config/config.js';
import { Outbound } from '../platform/network/outbound.js';
import { AgentSearch, CatalogSearch } from './catalog-search.lookup.js';
import { configuredProvider, FORMER_EMBEDDINGS, formerProviders } from './configured.provider.js';
import { EMBEDDINGS } from './embedding.provider.js';
import { EmbeddingWorker } from './embedding.worker.js';
import { EmbeddingsController } from './embeddings.routes.js';
import { EvaluationsController, EvaluationSetsController } from './evaluations.routes.js';
import { EvaluatedCatalogs } from './evaluated-catalogs.service.js';
import { Evaluations } from './evaluations.service.js';
import { HostSearch } from './host-search.service.js';
import { ImportersModule } from '../importers/importers.module.js';
import { PromptVectors } from './prompt-vectors.service.js';
import { SearchController } from './search.controller.js';

/** Finds the right tool for a prompt: in an agent's catalog, or in all of a host. */
@Module({
  imports: [ImportersModule],
  controllers: [SearchController, EmbeddingsController, EvaluationsController, EvaluationSetsController],
  providers: [
    { provide: EMBEDDINGS, useFactory: configuredProvider, inject: [CONFIG, Outbound] },
    { provide: FORMER_EMBEDDINGS, useFactory: formerProviders, inject: [CONFIG, Outbound] },
    PromptVectors,
    EmbeddingWorker,
    AgentSearch,
    HostSearch,
    CatalogSearch,
    EvaluatedCatalogs,
    Evaluations,
  ],
  exports: [CatalogSearch],
})
export class SearchModule {}
