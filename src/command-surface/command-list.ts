/** How commands are listed: in `list_commands`, in lists of tools, and over REST. Pure. */
import type { JSONSchema } from 'json-schema-to-ts';
import { memberRows } from '../graph/condensed-schema.js';
import { toonText } from '../graph/llm-text.js';
import { parametersOf, type AgentCommand } from './agent-command.js';

export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: JSONSchema;
  readonly result: JSONSchema;
  readonly scope: readonly string[];
  readonly execution: 'direct' | 'intercepted';
}

/** Names of commands that one may ask for at once. */
export const mostNames = 50;

export function listedCommand(command: AgentCommand): ListedCommand {
  const { name, summary, description, result, scope, execution } = command;
  return { name, summary, description, parameters: parametersOf(command), result, scope, execution };
}

/** Schema of a list of commands. */
export const commandList = {
  type: 'object',
  required: ['commands'],
  properties: {
    commands: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'summary', 'description', 'parameters', 'result', 'scope', 'execution'],
        properties: {
          name: { type: 'string' },
          summary: { type: 'string' },
          description: { type: 'string' },
          parameters: { type: 'object', description: 'JSON Schema 2020-12.' },
          result: { type: 'object', description: 'JSON Schema 2020-12.' },
          scope: { type: 'array', items: { type: 'string' }, description: 'Any of these.' },
          execution: { type: 'string', enum: ['direct', 'intercepted'] },
        },
      },
    },
  },
} as const satisfies JSONSchema;

/** Commands for a model. */
export function commandsText(commands: readonly AgentCommand[]): string {
  return toonText({ commands: commands.map(commandRow) });
}

/** A command for a model: its parameters as rows; of the result, which it will see anyway, only what is in it. */
function commandRow(command: AgentCommand): object {
  const { name, summary, description, result, scope, execution } = command;
  const { properties = {} } = result as { readonly properties?: object };
  return {
    ...{ name, summary, description, scope: scope.join(' '), execution },
    ...{ result: Object.keys(properties).join(' '), parameters: memberRows(parametersOf(command)) },
  };
}

/** The description of `list_commands`: the commands stand in it, so that a model may skip the first call. */
export function commandListDescription(commands: readonly AgentCommand[]): string {
  const lines = commands.map(({ name, summary }) => `${name}: ${summary}`);
  return [
    'Tells what parameters commands of this catalog take. Give command_names to be told of some only.',
    'Run one with invoke_command {"command_name", "parameters"}.',
    ...lines,
  ].join('\n');
}
