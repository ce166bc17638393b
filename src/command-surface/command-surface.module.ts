import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { DiagnosticsModule } from '../diagnostics/diagnostics.module.js';
import { EffectiveCatalogModule } from '../effective-catalog/effective-catalog.module.js';
import { GraphModule } from '../graph/graph.module.js';
import { PreviewsModule } from '../previews/previews.module.js';
import { ReviewsModule } from '../reviews/reviews.module.js';
import { SearchModule } from '../search/search.module.js';
import { AgentCommandsController } from './agent-commands.controller.js';
import { CommandWrites } from './command-writes.service.js';
import { CatalogCommands, DiagnoseAgentInterceptor, RecordLookup } from './catalog-commands.service.js';
import { CommandDispatcher, CommandExecutor, CommandRegistry } from './command-dispatcher.service.js';
import { INTERCEPTORS, type CommandInterceptor } from './agent-command.js';
import { GraphCommands, QueryGraphInterceptor } from './graph-commands.service.js';
import { McpCalls, McpFaults } from './mcp/mcp-calls.service.js';
import { McpServers } from './mcp/mcp-server.service.js';
import { McpSkills } from './mcp/mcp-skills.service.js';
import { McpController } from './mcp/mcp.controller.js';
import { RoutedCommands } from './routed-commands.service.js';
import { VersionCommands } from './version-commands.service.js';

@Module({
  imports: [
    CqrsModule,
    DiagnosticsModule,
    DiscoveryModule,
    EffectiveCatalogModule,
    GraphModule,
    PreviewsModule,
    ReviewsModule,
    SearchModule,
  ],
  controllers: [AgentCommandsController],
  providers: [
    CatalogCommands,
    CommandDispatcher,
    CommandExecutor,
    CommandRegistry,
    CommandWrites,
    DiagnoseAgentInterceptor,
    GraphCommands,
    McpCalls,
    McpController,
    McpFaults,
    McpServers,
    McpSkills,
    QueryGraphInterceptor,
    RecordLookup,
    RoutedCommands,
    VersionCommands,
    {
      provide: INTERCEPTORS,
      useFactory: (...interceptors: readonly CommandInterceptor[]) => interceptors,
      inject: [QueryGraphInterceptor, DiagnoseAgentInterceptor],
    },
  ],
})
export class CommandSurfaceModule {}
