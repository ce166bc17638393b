import { Injectable } from '@nestjs/common';
import { LiveDiagnostics } from '../diagnostics/diagnostics.lookup.js';
import { visibilityOf } from '../platform/auth/visibility.js';
import { requiredAgentOf, type AgentCommand, type CommandContext, type Parameters } from './agent-command.js';
import type { CommandInterceptor, Interception } from './command-interceptor.js';

/** `diagnose_agent`: what belongs to gateways is asked of them, with connections that the executor does not have. */
@Injectable()
export class DiagnoseAgentInterceptor implements CommandInterceptor {
  constructor(private readonly diagnostics: LiveDiagnostics) {}

  async intercept(
    command: AgentCommand,
    parameters: Parameters,
    context: CommandContext,
  ): Promise<Interception> {
    if (command.name !== 'diagnose_agent') return { handled: false };
    const { caller } = context;
    const agentDefId = requiredAgentOf(parameters, context);
    const value = await this.diagnostics.agent(caller, visibilityOf(caller), agentDefId);
    return { handled: true, result: { value } };
  }
}
