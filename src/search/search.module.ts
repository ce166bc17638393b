import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CONFIG } from '../platform/config/config.js';
import { Outbound } from '../platform/network/outbound.js';
import { AgentSearch, CatalogSearch } from './catalog-search.lookup.js';
import { configuredProvider, FORMER_EMBEDDINGS, formerProviders } from './embeddings/configured.provider.js';
import { EMBEDDINGS } from './embeddings/embedding.provider.js';
import { EmbeddingWorker } from './embeddings/embedding.worker.js';
import { EmbeddingsController } from './embeddings/embeddings.routes.js';
import { EvaluationsController, EvaluationSetsController } from './evaluation/evaluations.routes.js';
import { KeptDataSets } from './evaluation/asked-data-sets.lookup.js';
import { EvaluatedCatalogs } from './evaluation/evaluated-catalogs.service.js';
import { Evaluations } from './evaluation/evaluations.service.js';
import { evaluateVersionHandler, versionEvaluationRoutes } from './evaluation/version-evaluation.routes.js';
import { VersionReportController, VersionReports } from './evaluation/version-report.routes.js';
import { VersionEvaluations } from './evaluation/version-evaluations.service.js';
import { HostIndexes } from './host-search/host-indexes.service.js';
import { HostSearch } from './host-search/host-search.service.js';
import { ImportersModule } from '../importers/importers.module.js';
import { AskedDataSets } from '../tools/public.js';
import { PromptVectors } from './embeddings/prompt-vectors.service.js';
import { SearchController } from './search.controller.js';

/**
 * Finds the right tool for a prompt: in an agent's catalog, or in all of a host. Gives the floor of tools the data sets that
 * versions are evaluated by: {@link AskedDataSets}.
 */
@Global()
@Module({
  imports: [CqrsModule, ImportersModule],
  controllers: [
    SearchController,
    EmbeddingsController,
    EvaluationsController,
    EvaluationSetsController,
    ...versionEvaluationRoutes,
    VersionReportController,
  ],
  providers: [
    { provide: EMBEDDINGS, useFactory: configuredProvider, inject: [CONFIG, Outbound] },
    { provide: FORMER_EMBEDDINGS, useFactory: formerProviders, inject: [CONFIG, Outbound] },
    PromptVectors,
    EmbeddingWorker,
    AgentSearch,
    HostIndexes,
    HostSearch,
    CatalogSearch,
    EvaluatedCatalogs,
    Evaluations,
    VersionEvaluations,
    VersionReports,
    evaluateVersionHandler,
    { provide: AskedDataSets, useClass: KeptDataSets },
  ],
  exports: [AskedDataSets, CatalogSearch, VersionReports],
})
export class SearchModule {}
