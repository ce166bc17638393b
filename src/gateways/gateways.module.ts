import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ImportersModule } from '../importers/importers.module.js';
import { driftHandlers } from './drift.handlers.js';
import { driftRoutes } from './drift.routes.js';
import { DriftService } from './drift.service.js';
import { GatewayDrifts } from './gateway-drifts.port.js';
import { GatewayChecks } from './gateway-checks.service.js';
import { exposureHandlers, exposureRoutes } from './exposure.link.js';
import { GatewayExportsController } from './gateway-exports.controller.js';
import { GetRouterConfigHandler, GetToolsListHandler } from './gateway-exports.queries.js';
import { gatewayHandlers, gatewayRoutes } from './gateway.record.js';
import { LiveGateway } from './live-gateway.service.js';
import { LiveTools } from './live-tools.service.js';

@Module({
  imports: [CqrsModule, ImportersModule],
  controllers: [...gatewayRoutes, ...exposureRoutes, GatewayExportsController, ...driftRoutes],
  providers: [
    ...gatewayHandlers,
    ...exposureHandlers,
    GetRouterConfigHandler,
    GetToolsListHandler,
    LiveGateway,
    LiveTools,
    DriftService,
    { provide: GatewayDrifts, useExisting: DriftService },
    ...driftHandlers,
    GatewayChecks,
  ],
  exports: [GatewayDrifts],
})
export class GatewaysModule {}
