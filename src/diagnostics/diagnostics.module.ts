import { Module } from '@nestjs/common';
import { GatewaysModule } from '../gateways/gateways.module.js';
import { ReviewsModule } from '../reviews/reviews.module.js';
import { DiagnosticsController } from './diagnostics.controller.js';
import { LiveDiagnostics } from './diagnostics.lookup.js';
import { ExposureImpactController } from './exposure-impact.routes.js';
import { Overview } from './overview.lookup.js';

/** Joins gateways with skills and agents to find what can't be called. */
@Module({
  imports: [GatewaysModule, ReviewsModule],
  controllers: [DiagnosticsController, ExposureImpactController],
  providers: [LiveDiagnostics, Overview],
  exports: [LiveDiagnostics],
})
export class DiagnosticsModule {}
