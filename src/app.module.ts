import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { agentSlice } from './agents/agent.slice.js';
import { AgentsModule } from './agents/agents.module.js';
import { DevelopmentGatewayModule } from './development-gateway/development-gateway.module.js';
import { DiagnosticsModule } from './diagnostics/diagnostics.module.js';
import { discoverySlice } from './discovery/discovery.slice.js';
import { DiscoveryModule } from './discovery/discovery.module.js';
import { EffectiveCatalogModule } from './effective-catalog/effective-catalog.module.js';
import { developmentClaims } from './development-claims.js';
import { endpointSlice } from './endpoints/endpoint.slice.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { KernelModule } from './kernel/kernel.module.js';
import type { Slice } from './kernel/slice.js';
import { gatewaySlice } from './gateways/gateway.slice.js';
import { GatewaysModule } from './gateways/gateways.module.js';
import { ImportersModule } from './importers/importers.module.js';
import { GraphModule } from './graph/graph.module.js';
import type { Config } from './platform/config/config.js';
import { CatalogCodeModule } from './catalog-code/catalog-code.module.js';
import { catalogCodeSlice } from './catalog-code/catalog-code.slice.js';
import { CommandSurfaceModule } from './command-surface/command-surface.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import type { Log } from './platform/logging/log.js';
import { PlatformModule } from './platform/platform.module.js';
import { PortalRpcModule } from './portal-rpc/portal-rpc.module.js';
import { PreviewsModule } from './previews/previews.module.js';
import { ReviewsModule } from './reviews/reviews.module.js';
import { configuredProfile, searchDocumentsFollower } from './search/public.js';
import { SearchModule } from './search/search.module.js';
import { skillSlice } from './skills/skill.slice.js';
import { SettingsModule, settingsSlice } from './settings/settings.module.js';
import { SkillsModule } from './skills/skills.module.js';
import { taxonomySlice } from './taxonomy/taxonomy.slice.js';
import { TaxonomyModule } from './taxonomy/taxonomy.module.js';
import { toolSlice } from './tools/tool.slice.js';
import { ToolClientsModule } from './tool-clients/tool-clients.module.js';
import { ToolsModule } from './tools/tools.module.js';
import { webhookFollower } from './webhooks/public.js';
import { webhookSlice } from './webhooks/webhook.slice.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';
import { workflowSlice } from './workflows/workflow.slice.js';
import { WorkflowsModule } from './workflows/workflows.module.js';

/** Every slice of the domain, bottom first: the service writes with them, rebuild replays with them. */
export const slices: readonly Slice[] = [
  settingsSlice,
  taxonomySlice,
  endpointSlice,
  toolSlice,
  workflowSlice,
  gatewaySlice,
  webhookSlice,
  skillSlice,
  agentSlice,
  discoverySlice,
  catalogCodeSlice,
];

/** Their modules, bottom first. */
export const sliceModules = [
  SettingsModule,
  TaxonomyModule,
  EndpointsModule,
  ToolsModule,
  ToolClientsModule,
  ImportersModule,
  WorkflowsModule,
  GatewaysModule,
  WebhooksModule,
  SkillsModule,
  AgentsModule,
  EffectiveCatalogModule,
  SearchModule,
  ReviewsModule,
  PreviewsModule,
  DiagnosticsModule,
  DiscoveryModule,
  GraphModule,
  CommandSurfaceModule,
  CatalogCodeModule,
  PortalRpcModule,
  DevelopmentGatewayModule,
];

const eventTypes = slices.flatMap(({ events }) => events);

/** Types of the events that webhooks are notified of: all that can change a catalog. */
const announced = eventTypes.filter(({ touches }) => touches !== 'nobody').map(({ type }) => type);

/** The whole service. */
@Module({})
export class AppModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    const {
      databaseUrl: url,
      dataDirectory: directory,
      databasePoolSize: poolSize,
      statementTimeout,
    } = config;
    const { model, dimension } = configuredProfile(config);
    const fields = config.embeddings.sourceFields;
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        DatabaseModule.forRoot({ url, directory, poolSize, statementTimeout }),
        KernelModule.forRoot(slices, [
          searchDocumentsFollower(eventTypes, { model, dimension, fields }),
          webhookFollower(announced),
        ]),
        PlatformModule.forRoot(config, log, developmentClaims),
        ...sliceModules,
      ],
    };
  }
}
