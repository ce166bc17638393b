import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DiscoveryReply } from './discovery-reply.service.js';
import { McpRegistryController } from './mcp-registry.controller.js';
import { Preflight } from './preflight.service.js';
import { PublicCatalogs } from './public-catalogs.service.js';
import { publicEntryHandlers, publicEntryRoutes } from './public-entry.record.js';
import { SourceLookController } from './sources/source-look.controller.js';
import { WellKnownController } from './well-known.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [...publicEntryRoutes, WellKnownController, McpRegistryController, SourceLookController],
  providers: [...publicEntryHandlers, DiscoveryReply, Preflight, PublicCatalogs],
})
export class DiscoveryModule {}
