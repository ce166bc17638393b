import type { AgentCommand, CommandContext, CommandResult, Parameters } from './agent-command.js';

/** What an interceptor says of a command. */
export type Interception =
  | { readonly handled: false }
  | { readonly handled: true; readonly result: CommandResult }
  /** NDJSON, line by line, made as it is read. */
  | { readonly handled: true; readonly stream: AsyncIterable<string> };

/** Asked before the executor: takes what needs more than the executor has, like streaming with the caller's claims. */
export interface CommandInterceptor {
  intercept(command: AgentCommand, parameters: Parameters, context: CommandContext): Promise<Interception>;
}

/** Nest token of the list of {@link CommandInterceptor}s. */
export const INTERCEPTORS = Symbol('CommandInterceptors');
