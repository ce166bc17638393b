/** How commands are listed: in `list_commands`, in lists of tools, and over REST. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import { objectOf } from '../platform/http/schemas.js';
import { memberRows, toonText } from '../graph/shared.js';
import { type AgentCommand, formatParameter, parametersOf } from './agent-command.js';
import type { Tool } from '@modelcontextprotocol/server';

interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: JSONSchema;
  readonly result: JSONSchema;
  readonly scope: readonly string[];
  readonly execution: 'direct' | 'intercepted';
}

/** Names of commands in one request. */
export const MAX_NAMES = 50;

export function listedCommand(command: AgentCommand): ListedCommand {
  const { name, summary, description, result, scope, execution } = command;
  return { name, summary, description, parameters: parametersOf(command), result, scope, execution };
}

/** Schema of a list of commands. */
export const commandList = objectOf({
  commands: {
    type: 'array',
    items: objectOf({
      name: { type: 'string' },
      summary: { type: 'string' },
      description: { type: 'string' },
      parameters: { type: 'object', description: 'JSON Schema 2020-12.' },
      result: { type: 'object', description: 'JSON Schema 2020-12.' },
      scope: { type: 'array', items: { type: 'string' }, description: 'Any of these.' },
      execution: { type: 'string', enum: ['direct', 'intercepted'] },
    }),
  },
});

/** Commands for a model. */
export function commandsText(commands: readonly AgentCommand[]): string {
  return toonText({ commands: commands.map(commandRow) });
}

/** A command for a model: its parameters as rows, of the result only the names. */
function commandRow(command: AgentCommand): object {
  const { name, summary, description, result, scope, execution } = command;
  const { properties = {} } = result as { readonly properties?: object };
  return {
    ...{ name, summary, description, scope: scope.join(' '), execution },
    ...{ result: Object.keys(properties).join(' '), parameters: memberRows(parametersOf(command)) },
  };
}

/** The description of `list_commands`, with the commands, so that a model may skip the first call. */
function commandListDescription(commands: readonly AgentCommand[]): string {
  const lines = commands.filter(({ brief }) => !brief).map(({ name, summary }) => `${name}: ${summary}`);
  return [
    'Lists the commands of this catalog with their parameters. Give command_names to list only some.',
    'Run one with invoke_command {"command_name", "parameters"}.',
    ...lines,
  ].join('\n');
}

/** The description of `invoke_command`, with the names of those that `list_commands` tells only when they are asked for. */
function invocationDescription(commands: readonly AgentCommand[]): string {
  const further = commands.filter(({ brief }) => brief).map(({ name }) => name);
  return [
    'Runs one command of list_commands. Only command_name and parameters are at the top level; everything that the command takes goes into parameters, format as well.',
    ...(further.length > 0 ? [`Further ones, to be listed by name first: ${further.join(' ')}`] : []),
  ].join('\n');
}

/** Examples of the command surface in the documents. */
export const listedCommandExample = {
  name: 'get_query_dsl',
  summary: 'The query language as a JSON Schema',
  description: 'The full grammar of query_graph, with its semantic version.',
  parameters: { type: 'object', additionalProperties: false, properties: {} },
  result: { type: 'object' },
  scope: ['catalog:agent', 'catalog:read'],
  execution: 'direct',
};

/** Each command as a tool of its own. */
export function directTools(commands: readonly AgentCommand[]): Tool[] {
  return commands.map((command) => ({
    name: command.name,
    title: command.summary,
    description: command.description,
    inputSchema: parametersOf(command) as Tool['inputSchema'],
    outputSchema: command.result as Exclude<Tool['outputSchema'], undefined>,
    annotations: annotationsOf([command]),
  }));
}

/** Two tools that lead to every command, so that the list does not grow with their number. */
export function commandTools(commands: readonly AgentCommand[]): Tool[] {
  return [
    {
      name: 'list_commands',
      title: 'List commands',
      description: commandListDescription(commands),
      inputSchema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          command_names: {
            type: 'array',
            maxItems: MAX_NAMES,
            items: { type: 'string', maxLength: 64 },
            description:
              'Commands to list; where left out, all but the further ones that invoke_command names.',
          },
          format: formatParameter,
        },
      },
      outputSchema: commandList,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    {
      name: 'invoke_command',
      title: 'Run a command',
      description: invocationDescription(commands),
      inputSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['command_name'],
        properties: {
          command_name: { type: 'string', maxLength: 64 },
          parameters: { type: 'object', description: 'As list_commands describes them.' },
        },
      },
      outputSchema: { type: 'object' },
      annotations: annotationsOf(commands),
    },
  ];
}

/** Combines the annotations of the commands. */
function annotationsOf(commands: readonly AgentCommand[]): Exclude<Tool['annotations'], undefined> {
  return {
    readOnlyHint: !commands.some(({ writes }) => writes),
    destructiveHint: commands.some(({ overwrites }) => overwrites === true),
    idempotentHint: commands.every(({ writes, idempotent }) => !writes || idempotent === true),
    openWorldHint: commands.some(({ reachesOut }) => reachesOut === true),
  };
}

/**
 * Instructions for a surface.
 *
 * @param isCommandSurface whether `list_commands` and `invoke_command` are listed instead of each command
 */
export function instructionsFor(isCommandSurface: boolean): string {
  const run = (name: string): string =>
    isCommandSurface ? `invoke_command with command_name ${name}` : name;
  return [
    'A catalog of APIs, tools and skills, and a graph of them. It describes tools; they are called at the gateway.',
    isCommandSurface
      ? '1. Call list_commands once per session: it names the commands and their parameters.'
      : '1. List the tools once per session.',
    `2. Before the first query call ${run('get_query_dsl')} and ${run('get_graph_schema')}. Do not guess the names of nodes, relationships or properties.`,
    `3. Query with ${run('query_graph')}.`,
    `4. When a query is refused as invalid_graph_query, call ${run('get_graph_schema')} with the node of the error in expand_nodes, before you try again.`,
  ].join('\n');
}
