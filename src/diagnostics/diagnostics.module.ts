import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { GatewaysModule } from '../gateways/gateways.module.js';
import { AgentDiagnostics } from './agent-diagnostics.port.js';
import { DiagnosticsController } from './diagnostics.controller.js';
import { DiagnoseSkillsHandler } from './diagnostics.queries.js';
import { LiveDiagnostics } from './diagnostics.service.js';

/** Joins gateways with skills and agents: what can't be called, and whom it hits. */
@Module({
  imports: [CqrsModule, GatewaysModule],
  controllers: [DiagnosticsController],
  providers: [
    DiagnoseSkillsHandler,
    LiveDiagnostics,
    { provide: AgentDiagnostics, useExisting: LiveDiagnostics },
  ],
  exports: [AgentDiagnostics],
})
export class DiagnosticsModule {}
