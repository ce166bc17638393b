import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { agentSlice } from './agents/agent.slice.js';
import { AgentsModule } from './agents/agents.module.js';
import { EffectiveCatalogModule } from './effective-catalog/effective-catalog.module.js';
import { endpointSlice } from './endpoints/endpoint.slice.js';
import { EndpointsModule } from './endpoints/endpoints.module.js';
import { EventSourcingModule } from './eventsourcing/event-sourcing.module.js';
import type { Slice } from './eventsourcing/slice.js';
import { ImportersModule } from './importers/importers.module.js';
import type { Config } from './platform/config/config.js';
import { DatabaseModule } from './platform/database/database.module.js';
import type { Log } from './platform/logging/log.js';
import { PlatformModule } from './platform/platform.module.js';
import { skillSlice } from './skills/skill.slice.js';
import { SkillsModule } from './skills/skills.module.js';
import { toolSlice } from './tools/tool.slice.js';
import { ToolsModule } from './tools/tools.module.js';

/** Every slice of the domain, bottom first: the service writes with them, rebuild replays with them. */
export const slices: readonly Slice[] = [endpointSlice, toolSlice, skillSlice, agentSlice];

/** Their modules, bottom first. */
export const sliceModules = [
  EndpointsModule,
  ToolsModule,
  ImportersModule,
  SkillsModule,
  AgentsModule,
  EffectiveCatalogModule,
];

/** The whole service. */
@Module({})
export class AppModule {
  static forRoot(config: Config, log: Log): DynamicModule {
    const { databaseUrl: url, dataDirectory: directory, databasePoolSize: poolSize } = config;
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        DatabaseModule.forRoot({ url, directory, poolSize }),
        EventSourcingModule.forRoot(slices),
        PlatformModule.forRoot(config, log),
        ...sliceModules,
      ],
    };
  }
}
