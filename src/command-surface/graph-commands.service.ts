import { Injectable } from '@nestjs/common';
import { dslAnswer } from '../graph/dsl-schema.js';
import { GraphQueries } from '../graph/graph.lookup.js';
import { answerText, dslText, responseFormatText, schemaText } from '../graph/llm-text.js';
import { responseFormatAnswer } from '../graph/response-format.js';
import { schemaAnswer } from '../graph/schema-answer.js';
import {
  agentOf,
  type AgentCommand,
  type CommandContext,
  type CommandResult,
  type Parameters,
} from './agent-command.js';
import {
  aggregateNodes,
  exploreNeighbors,
  findNodes,
  findPaths,
  traverseRelationships,
} from './graph-command-queries.js';
import { graphSpecs, type GraphCommandName } from './graph-commands.js';

/** The graph and its query language, as commands: each is a query that is easy to write. */
@Injectable()
export class GraphCommands {
  readonly commands: readonly AgentCommand[];

  constructor(private readonly graph: GraphQueries) {
    const runs: Readonly<Record<GraphCommandName, AgentCommand['run']>> = {
      get_graph_schema: (parameters) => schemaResult(parameters),
      get_graph_status: async (parameters, context) => ({
        value: await graph.status({ caller: context.caller, agentDefId: agentOf(parameters, context) }),
      }),
      get_query_dsl: () => ({ value: dslAnswer(), text: dslText() }),
      get_response_format: () => ({ value: responseFormatAnswer(), text: responseFormatText() }),
      find_nodes: (parameters, context) => this.ask(findNodes(parameters), parameters, context),
      traverse_relationships: (parameters, context) =>
        this.ask(traverseRelationships(parameters), parameters, context),
      explore_neighbors: (parameters, context) => this.ask(exploreNeighbors(parameters), parameters, context),
      find_paths: (parameters, context) => this.ask(findPaths(parameters), parameters, context),
      aggregate_nodes: (parameters, context) => this.ask(aggregateNodes(parameters), parameters, context),
      query_graph: undefined,
    };
    this.commands = graphSpecs.map((spec) => {
      const run = runs[spec.name];
      return run === undefined ? spec : { ...spec, run };
    });
  }

  private async ask(query: object, parameters: Parameters, context: CommandContext): Promise<CommandResult> {
    const { caller, format } = context;
    const answer = await this.graph.answer(query, {
      caller,
      agentDefId: agentOf(parameters, context),
      format,
    });
    return { value: answer, text: answerText(answer) };
  }
}

function schemaResult({ format: _format, agentDefId: _agent, ...options }: Parameters): CommandResult {
  const value = schemaAnswer(options);
  return { value, text: schemaText(value) };
}
