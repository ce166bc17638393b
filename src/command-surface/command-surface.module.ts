import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { DiagnosticsModule } from '../diagnostics/diagnostics.module.js';
import { EffectiveCatalogModule } from '../effective-catalog/effective-catalog.module.js';
import { GraphModule } from '../graph/graph.module.js';
import { SearchModule } from '../search/search.module.js';
import { AgentCommandsController } from './agent-commands.controller.js';
import { AuthoringCommands } from './authoring-commands.service.js';
import { CatalogCommands, DiagnoseAgentInterceptor, RecordLookup } from './catalog-commands.service.js';
import { CommandDispatcher, CommandExecutor, CommandRegistry } from './command-dispatcher.service.js';
import { INTERCEPTORS, type CommandInterceptor } from './agent-command.js';
import { GraphCommands, QueryGraphInterceptor } from './graph-commands.service.js';
import { McpCalls, McpFaults } from './mcp/mcp-calls.service.js';
import { McpServers } from './mcp/mcp-server.service.js';
import { McpSkills } from './mcp/mcp-skills.service.js';
import { McpController } from './mcp/mcp.controller.js';

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
