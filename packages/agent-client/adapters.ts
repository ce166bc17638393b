/** Converts tools for the interfaces of models. Pure. */
import type { JsonObject } from './catalog-document.js';
import type { OfferedTool } from './offered-tool.js';

/** A tool of OpenAI's chat completions. */
export interface OpenAiTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject };
}

export function openAiTools(tools: readonly OfferedTool[]): OpenAiTool[] {
  return tools.map(({ modelName: name, description, inputSchema: parameters }) => ({
    type: 'function',
    // OpenAI refuses an object that says no properties, as servers list what takes no arguments.
    function: {
      name,
      description,
      parameters: { ...parameters, properties: parameters['properties'] ?? {} },
    },
  }));
}

/** A tool of Anthropic's messages. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

export function anthropicTools(tools: readonly OfferedTool[]): AnthropicTool[] {
  return tools.map(({ modelName: name, description, inputSchema: input_schema }) => ({
    name,
    description,
    input_schema,
  }));
}

/** A tool of MCP's `tools/list`. */
export interface McpTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly annotations?: JsonObject;
}

export function mcpTools(tools: readonly OfferedTool[]): McpTool[] {
  return tools.map(({ name, description, inputSchema, annotations }) => ({
    ...{ name, description, inputSchema },
    ...(annotations !== undefined && { annotations }),
  }));
}
