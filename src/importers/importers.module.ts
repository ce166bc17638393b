import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ImportCounts, ImportReading, ReadDocuments, ToolsListReader } from './import-reading.service.js';
import { importHandlers } from './import.handlers.js';
import { apiVersionRoutes, importRoutes } from './import.routes.js';
import { ImportPool } from './import-pool.js';
import { ImportDryRun, ToolsListReading } from './import.port.js';
import { ImportService } from './import.service.js';

@Module({
  imports: [CqrsModule],
  controllers: [...importRoutes, ...apiVersionRoutes],
  providers: [
    { provide: ImportPool, useFactory: () => new ImportPool() },
    ImportCounts,
    ReadDocuments,
    ImportReading,
    ImportService,
    ...importHandlers,
    { provide: ImportDryRun, useExisting: ImportService },
    { provide: ToolsListReading, useClass: ToolsListReader },
  ],
  exports: [ImportDryRun, ToolsListReading],
})
export class ImportersModule {}
