import { Injectable } from '@nestjs/common';
import { GraphReader } from '../graph/graph.lookup.js';
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

  constructor(private readonly graph: GraphReader) {
    const runs: Readonly<Record<GraphCommandName, AgentCommand['run']>> = {
      get_graph_schema: (parameters) => graph.schema(onlyWish(parameters)),
      get_graph_status: async (parameters, context) => ({
        value: await graph.status({ caller: context.caller, agentDefId: agentOf(parameters, context) }),
      }),
      get_query_dsl: () => graph.dsl(),
      get_response_format: () => graph.responseFormat(),
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
    return { value: answer, text: this.graph.text(answer) };
  }
}

function onlyWish({ format: _format, agentDefId: _agent, ...rest }: Parameters): Parameters {
  return rest;
}
