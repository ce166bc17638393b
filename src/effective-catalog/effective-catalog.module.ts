import { Global, Module } from '@nestjs/common';
import { AGENT_SCOPES } from '../platform/auth/visibility.js';
import { CatalogCache } from './delivery/catalog-cache.service.js';
import { CatalogChanges } from './delivery/catalog-changes.service.js';
import { CatalogDeltas } from './delivery/catalog-deltas.service.js';
import { CatalogEventsController } from './delivery/catalog-events.controller.js';
import { CatalogExplanationController, DisclosureExplanations } from './disclosure/explanation.routes.js';
import { CatalogSignature, SigningKeysController } from './delivery/catalog-signature.service.js';
import { DisclosureLog } from './disclosure/disclosure-log.service.js';
import { EffectiveCatalogController } from './effective-catalog.controller.js';
import { CatalogAgentScopes, EffectiveCatalogs } from './effective-catalogs.lookup.js';
import { LatestWrites } from './latest-writes.service.js';
import { PastCatalogs } from './past.lookup.js';

/**
 * Serves agents their catalogs, and says to the platform what a confined token may read. Floors above read
 * through {@link EffectiveCatalogs}.
 */
@Global()
@Module({
  controllers: [CatalogEventsController, CatalogExplanationController, SigningKeysController],
  providers: [
    CatalogCache,
    LatestWrites,
    PastCatalogs,
    CatalogChanges,
    CatalogDeltas,
    CatalogSignature,
    DisclosureExplanations,
    DisclosureLog,
    EffectiveCatalogController,
    EffectiveCatalogs,
    CatalogAgentScopes,
    { provide: AGENT_SCOPES, useExisting: CatalogAgentScopes },
  ],
  exports: [AGENT_SCOPES, CatalogSignature, DisclosureExplanations, EffectiveCatalogs],
})
export class EffectiveCatalogModule {}
