import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { Operations } from '../tools/public.js';
import { CheckedOperations } from './operations.service.js';
import { ImportCounts, ImportReading, ReadDocuments, ToolsListReader } from './import-reading.service.js';
import { HeldOperations } from './held-operations.service.js';
import { importHandlers } from './import.handlers.js';
import { DocumentFetchController } from './document-fetch.controller.js';
import { DocumentReadingController } from './document-reading.controller.js';
import { DocumentFetch } from './document-fetch.service.js';
import { apiVersionRoutes, importRoutes } from './import.routes.js';
import { ImportPool } from './import-pool.js';
import { ImportDryRun, ToolsListReading } from './import.port.js';
import { ImportService } from './import.service.js';

/** Gives the floor of tools what checks their operations: {@link Operations}. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [...importRoutes, ...apiVersionRoutes, DocumentFetchController, DocumentReadingController],
  providers: [
    { provide: ImportPool, useFactory: () => new ImportPool() },
    ImportCounts,
    ReadDocuments,
    ImportReading,
    DocumentFetch,
    HeldOperations,
    ImportService,
    { provide: Operations, useClass: CheckedOperations },
    ...importHandlers,
    { provide: ImportDryRun, useExisting: ImportService },
    { provide: ToolsListReading, useClass: ToolsListReader },
  ],
  exports: [DocumentFetch, ImportDryRun, Operations, ToolsListReading],
})
export class ImportersModule {}
