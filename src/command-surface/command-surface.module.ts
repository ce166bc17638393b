import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DiagnosticsModule } from '../diagnostics/diagnostics.module.js';
import { EffectiveCatalogModule } from '../effective-catalog/effective-catalog.module.js';
import { GraphModule } from '../graph/graph.module.js';
import { SearchModule } from '../search/search.module.js';
import { AgentCommandsController } from './agent-commands.controller.js';
import { AuthoringCommands } from './authoring-commands.service.js';
import { CatalogCommands } from './catalog-commands.service.js';
import { CommandDispatcher } from './command-dispatcher.service.js';
import { CommandExecutor } from './command-executor.service.js';
import { INTERCEPTORS, type CommandInterceptor } from './command-interceptor.js';
import { CommandRegistry } from './command-registry.service.js';
import { DiagnoseAgentInterceptor } from './diagnose-agent.service.js';
import { GraphCommands } from './graph-commands.service.js';
import { McpCalls } from './mcp-calls.service.js';
import { McpFaults } from './mcp-faults.service.js';
import { McpServers } from './mcp-server.service.js';
import { McpSkills } from './mcp-skills.service.js';
import { McpController } from './mcp.controller.js';
import { QueryGraphInterceptor } from './query-graph.service.js';
import { RecordLookup } from './record-lookup.service.js';

@Module({
  imports: [CqrsModule, DiagnosticsModule, EffectiveCatalogModule, GraphModule, SearchModule],
  controllers: [AgentCommandsController],
  providers: [
    AuthoringCommands,
    CatalogCommands,
    CommandDispatcher,
    CommandExecutor,
    CommandRegistry,
    DiagnoseAgentInterceptor,
    GraphCommands,
    McpCalls,
    McpController,
    McpFaults,
    McpServers,
    McpSkills,
    QueryGraphInterceptor,
    RecordLookup,
    {
      provide: INTERCEPTORS,
      useFactory: (...interceptors: readonly CommandInterceptor[]) => interceptors,
      inject: [QueryGraphInterceptor, DiagnoseAgentInterceptor],
    },
  ],
})
export class CommandSurfaceModule {}
