import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ImportersModule } from '../importers/importers.module.js';
import { dismissalHandlers, dismissalRoutes } from './drift/drift-dismissal.routes.js';
import { driftHandlers, driftRoutes } from './drift/drift.routes.js';
import { DriftService } from './drift/drift.service.js';
import { GatewayDrifts } from './drift/gateway-drifts.port.js';
import { GatewayChecks } from './drift/gateway-checks.service.js';
import { exposureHandlers, exposureRoutes } from './exposure.link.js';
import { GatewayExports } from './gateway-exports.routes.js';
import { gatewayHandlers, gatewayRoutes } from './gateway.record.js';
import { OfferedTools } from './offered-tools.lookup.js';
import { LiveGateway, LiveTools } from './drift/live-gateway.service.js';

@Module({
  imports: [CqrsModule, ImportersModule],
  controllers: [...gatewayRoutes, ...exposureRoutes, GatewayExports, ...driftRoutes, ...dismissalRoutes],
  providers: [
    ...gatewayHandlers,
    ...exposureHandlers,
    OfferedTools,
    LiveGateway,
    LiveTools,
    DriftService,
    { provide: GatewayDrifts, useExisting: DriftService },
    ...driftHandlers,
    ...dismissalHandlers,
    GatewayChecks,
  ],
  exports: [GatewayDrifts, OfferedTools],
})
export class GatewaysModule {}
