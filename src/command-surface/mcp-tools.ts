/** The two surfaces that `/mcp` can list, as tools. Pure. */
import type { Tool } from '@modelcontextprotocol/server';
import { formatParameter, parametersOf, type AgentCommand } from './agent-command.js';
import { commandList, commandListDescription, mostNames } from './command-list.js';

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

/** Two tools that lead to every command: what a model is told does not grow with their number. */
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
            maxItems: mostNames,
            items: { type: 'string', maxLength: 64 },
            description: 'Commands to be told of; all where left out.',
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
      description:
        'Runs one command of list_commands. Only command_name and parameters stand at the top; everything that the command takes goes into parameters, format as well.',
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

/** What may happen where any of these is called. */
function annotationsOf(commands: readonly AgentCommand[]): Exclude<Tool['annotations'], undefined> {
  return {
    readOnlyHint: !commands.some(({ writes }) => writes),
    destructiveHint: commands.some(({ overwrites }) => overwrites === true),
    idempotentHint: commands.every(({ writes, idempotent }) => !writes || idempotent === true),
    openWorldHint: commands.some(({ reachesOut }) => reachesOut === true),
  };
}
