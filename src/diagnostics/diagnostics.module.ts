import { Module } from '@nestjs/common';
import { GatewaysModule } from '../gateways/gateways.module.js';
import { DiagnosticsController } from './diagnostics.controller.js';
import { LiveDiagnostics } from './diagnostics.lookup.js';
import { ExposureImpactController } from './exposure-impact.routes.js';

/** Joins gateways with skills and agents to find what can't be called. */
@Module({
  imports: [GatewaysModule],
  controllers: [DiagnosticsController, ExposureImpactController],
  providers: [LiveDiagnostics],
  exports: [LiveDiagnostics],
})
export class DiagnosticsModule {}
