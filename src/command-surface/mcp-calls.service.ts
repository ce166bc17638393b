import { Injectable } from '@nestjs/common';
import { ProtocolError, type CallToolResult } from '@modelcontextprotocol/server';
import { Invalid } from '../eventsourcing/errors.js';
import { problemOf } from '../platform/http/problem-details.js';
import type { AgentCommand, CommandContext, Parameters } from './agent-command.js';
import { CommandDispatcher } from './command-dispatcher.service.js';
import { commandsText, listedCommand, mostNames } from './command-list.js';
import { CommandRegistry } from './command-registry.service.js';
import { McpFaults } from './mcp-faults.service.js';
import { isObject, refuseFlattened, refuseUnknownListKeys } from './mended-call.js';

const invalidParams = -32602;

/** Calls of tools over MCP, of whichever surface is listed. What is wrong with the input a model is told as a result. */
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
    return this.told(context, () => this.run(name, parameters, context));
  }

  /** Throws ProtocolError −32602 for a tool that is not listed, and for a command that does not exist. */
  async ofSurface(name: string, given: Parameters, context: CommandContext): Promise<CallToolResult> {
    if (name === 'list_commands') return this.told(context, () => this.list(given, context));
    if (name !== 'invoke_command') throw unknown('tool', name);
    return this.told(context, () => this.invoke(given, context));
  }

  private list(given: Parameters, context: CommandContext): CallToolResult {
    refuseUnknownListKeys(given);
    const { command_names: names, format = 'llm' } = given;
    if (names !== undefined && (!isTexts(names) || names.length > mostNames))
      throw malformed('command_names', `must be a list of at most ${String(mostNames)} names`);
    if (format !== 'llm' && format !== 'raw') throw malformed('format', 'must be raw or llm');
    const commands =
      names === undefined
        ? this.registry.usableBy(context.caller)
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

  /** What the token may not use is like what does not exist. */
  private usable(name: string, { caller }: CommandContext): AgentCommand {
    const command = this.registry.usableBy(caller).find((each) => each.name === name);
    if (command === undefined) throw unknown('command', name);
    return command;
  }

  /** Refusals that a model can learn from are results; what is ours to mend is thrown on (see McpFaults). */
  private async told(
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

/** Without a text for models the JSON is the text. */
function resultOf(value: object, text = JSON.stringify(value)): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: value };
}
