import { Inject, Injectable } from '@nestjs/common';
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server';
import { isObject } from '../../documents/json.js';
import { Invalid } from '../../kernel/errors.js';
import { logFailure, problemOf } from '../../platform/http/problem-details.js';
import type { AgentCommand, CommandContext, Parameters } from '../agent-command.js';
import { CommandDispatcher, CommandRegistry } from '../command-dispatcher.service.js';
import { commandsText, listedCommand, MAX_NAMES } from '../command-list.js';
import type { Caller } from '../../platform/auth/caller.js';
import type { Problem } from '../../platform/http/problem.js';
import { LOG, type Log } from '../../platform/logging/log.js';

const invalidParams = -32602;
const internalError = -32603;

/** The caller and the id of the request. */
interface Asking {
  readonly caller: Caller;
  readonly correlationId: string;
}

/** Turns failures behind `/mcp` into problem details: the SDK would send clients the text of any error. */
@Injectable()
export class McpFaults {
  constructor(@Inject(LOG) private readonly log: Log) {}

  /** Throws only ProtocolError: −32602 for a refusal, −32603 for a failure, which is logged. */
  async translate<T>({ correlationId, caller }: Asking, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const problem = problemOf(error);
      logFailure(this.log, correlationId, error, problem);
      this.refused({ correlationId, caller }, problem);
      const { status, code, message } = problem;
      const kind = status < 500 ? invalidParams : internalError;
      throw new ProtocolError(kind, `${code}: ${message}`, { requestId: correlationId });
    }
  }

  /** Logs a refusal in a line of its own: the request itself is answered with 200. */
  refused({ correlationId, caller }: Asking, { status, code }: Problem): void {
    if (status < 500) this.log.info({ requestId: correlationId, code, ...caller.actor }, 'refused over MCP');
  }
}

/** Calls of tools over MCP, of whichever surface is listed. Faults of the input become results. */
@Injectable()
export class McpCalls {
  constructor(
    private readonly registry: CommandRegistry,
    private readonly dispatcher: CommandDispatcher,
    private readonly faults: McpFaults,
  ) {}

  /** Throws ProtocolError −32602 for a tool that is not listed. */
  async direct(name: string, parameters: Parameters, context: CommandContext): Promise<CallToolResult> {
    this.usable(name, context);
    return this.withRefusals(context, () => this.run(name, parameters, context));
  }

  /** Throws ProtocolError −32602 for a tool that is not listed, and for a command that does not exist. */
  async ofSurface(name: string, given: Parameters, context: CommandContext): Promise<CallToolResult> {
    if (name === 'list_commands') return this.withRefusals(context, () => this.list(given, context));
    if (name !== 'invoke_command') throw unknown('tool', name);
    return this.withRefusals(context, () => this.invoke(given, context));
  }

  private list(given: Parameters, context: CommandContext): CallToolResult {
    refuseUnknownListKeys(given);
    const { command_names: names, format = 'llm' } = given;
    if (names !== undefined && (!isTexts(names) || names.length > MAX_NAMES))
      throw malformed('command_names', `must be a list of at most ${String(MAX_NAMES)} names`);
    if (format !== 'llm' && format !== 'raw') throw malformed('format', 'must be raw or llm');
    const commands =
      names === undefined
        ? this.registry.usableBy(context.caller).filter(({ brief }) => !brief)
        : names.map((name) => this.usable(name, context));
    const value = { commands: commands.map(listedCommand) };
    return resultOf(value, format === 'llm' ? commandsText(commands) : undefined);
  }

  private async invoke(given: Parameters, context: CommandContext): Promise<CallToolResult> {
    refuseFlattened(given);
    const { command_name: name, parameters = {} } = given;
    if (typeof name !== 'string')
      throw malformed('command_name', 'is missing; list_commands names the commands');
    if (!isObject(parameters)) throw malformed('parameters', 'must be an object');
    this.usable(name, context);
    return this.run(name, parameters, context);
  }

  private async run(name: string, parameters: Parameters, context: CommandContext): Promise<CallToolResult> {
    const dispatched = await this.dispatcher.dispatch(name, parameters, context);
    if ('stream' in dispatched) throw new Error(`${name} streams to somebody who can't be streamed to.`);
    const format = parameters['format'] ?? context.format;
    return resultOf(dispatched.value, format === 'llm' ? dispatched.text : undefined);
  }

  /** Throws the same for a command that the token may not use as for an unknown one. */
  private usable(name: string, { caller }: CommandContext): AgentCommand {
    const command = this.registry.usableBy(caller).find((each) => each.name === name);
    if (command === undefined) throw unknown('command', name);
    return command;
  }

  /** Turns refusals into results that a model can learn from; failures of the service are thrown on (see McpFaults). */
  private async withRefusals(
    context: CommandContext,
    work: () => Promise<CallToolResult> | CallToolResult,
  ): Promise<CallToolResult> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      const problem = problemOf(error);
      if (problem.status >= 500) throw error;
      this.faults.refused(context, problem);
      const { code, message, faults } = problem;
      const lines = faults.slice(0, 20).map(({ pointer, detail }) => `${pointer}: ${detail}`);
      const text = [`${code}: ${message}`, ...lines].join('\n');
      return { isError: true, content: [{ type: 'text', text }] };
    }
  }
}

function unknown(noun: string, name: string): ProtocolError {
  return new ProtocolError(invalidParams, `Unknown ${noun}: ${name.slice(0, 64)}`);
}

function malformed(member: string, detail: string): Invalid {
  return new Invalid('invalid_parameters', `${member} ${detail}.`, [{ pointer: `/${member}`, detail }]);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Makes a result; its text is the JSON by default. */
function resultOf(value: object, text = JSON.stringify(value)): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: value };
}

const invokeKeys: readonly string[] = ['command_name', 'parameters'];
const listKeys: readonly string[] = ['command_names', 'format'];
/** Names that an error gives, and characters of a call that is shown whole. */
const MAX = { names: 10, shown: 4_000 };

/** Throws Invalid `unknown_top_level_keys` with the call as it was probably meant. */
function refuseFlattened(given: Parameters): void {
  const loose = Object.entries(given).filter(([key]) => !invokeKeys.includes(key));
  if (loose.length === 0) return;
  const inner = isObject(given['parameters']) ? given['parameters'] : {};
  const mended = {
    command_name: given['command_name'] ?? '<name>',
    parameters: { ...inner, ...Object.fromEntries(loose) },
  };
  const shown = JSON.stringify(mended);
  const call = shown.length <= MAX.shown ? shown : '{"command_name": "…", "parameters": {…}}';
  throw unknownKeys(loose, `Put them into parameters: invoke_command ${call}`);
}

/** Throws Invalid `unknown_top_level_keys` with the members that the call may have. */
function refuseUnknownListKeys(given: Parameters): void {
  const loose = Object.entries(given).filter(([key]) => !listKeys.includes(key));
  if (loose.length === 0) return;
  const kept = Object.fromEntries(Object.entries(given).filter(([key]) => listKeys.includes(key)));
  const shown = JSON.stringify(kept);
  const call = shown.length <= MAX.shown ? shown : '{"command_names": […]}';
  throw unknownKeys(loose, `Call it so: list_commands ${call}. Commands are run with invoke_command`);
}

function unknownKeys(loose: readonly (readonly [string, unknown])[], mend: string): Invalid {
  const names = loose.slice(0, MAX.names).map(([key]) => key.slice(0, 64));
  const others = loose.length - names.length;
  const all = others > 0 ? `${names.join(', ')} and ${String(others)} more` : names.join(', ');
  return new Invalid('unknown_top_level_keys', `Not known at the top level: ${all}. ${mend}.`);
}
