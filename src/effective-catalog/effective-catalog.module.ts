import { Global, Module } from '@nestjs/common';
import { CONFINEMENT } from '../platform/auth/visibility.js';
import { AgentConfinement } from './agent-confinement.service.js';
import { CatalogCache } from './catalog-cache.service.js';
import { EffectiveCatalogController } from './effective-catalog.controller.js';

/** Serves agents their catalogs, and tells the platform what a confined token may read. */
@Global()
@Module({
  providers: [
    CatalogCache,
    EffectiveCatalogController,
    AgentConfinement,
    { provide: CONFINEMENT, useExisting: AgentConfinement },
  ],
  exports: [CONFINEMENT],
})
export class EffectiveCatalogModule {}
