import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ApiVersionController } from './api-version.controller.js';
import { ImportController } from './import.controller.js';
import { ImportCounts } from './import-counts.service.js';
import { ImportPool } from './import-pool.js';
import { ReadDocuments } from './read-documents.service.js';
import { ImportReading } from './import-reading.service.js';
import { ImportRehearsal } from './import-rehearsal.port.js';
import { ImportService } from './import.service.js';
import { ToolsListReader } from './tools-list-reader.service.js';
import { ToolsListReading } from './tools-list.port.js';

@Module({
  imports: [CqrsModule],
  controllers: [ImportController, ApiVersionController],
  providers: [
    { provide: ImportPool, useFactory: () => new ImportPool() },
    ImportCounts,
    ReadDocuments,
    ImportReading,
    ImportService,
    { provide: ImportRehearsal, useExisting: ImportService },
    { provide: ToolsListReading, useClass: ToolsListReader },
  ],
  exports: [ImportRehearsal, ToolsListReading],
})
export class ImportersModule {}
