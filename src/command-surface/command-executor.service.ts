import { Injectable } from '@nestjs/common';
import { RuleBroken } from '../eventsourcing/errors.js';
import type { AgentCommand, CommandContext, CommandResult, Parameters } from './agent-command.js';

/** Carries out what no interceptor took; what belongs to one it refuses, whoever forgot to ask. */
@Injectable()
export class CommandExecutor {
  /** Throws RuleBroken `failed_precondition` for an intercepted command. */
  async execute(
    command: AgentCommand,
    parameters: Parameters,
    context: CommandContext,
  ): Promise<CommandResult> {
    if (command.run === undefined || command.execution === 'intercepted') {
      throw new RuleBroken(
        'failed_precondition',
        `FAILED_PRECONDITION: ${command.name} is carried out in front of the executor, where nobody took it. ` +
          `Ask ${command.route ?? `POST /v1/hosts/{hostId}/agent/commands/${command.name}`} instead.`,
      );
    }
    return command.run(parameters, context);
  }
}
