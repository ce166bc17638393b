import { Injectable } from '@nestjs/common';
import { GraphReader } from '../graph/graph.lookup.js';
import {
  agentOf,
  type AgentCommand,
  type CommandContext,
  type CommandResult,
  type Parameters,
} from './agent-command.js';
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
        this.ask({ query_type: 'traversal', ...queryPart(parameters) }, parameters, context),
      explore_neighbors: (parameters, context) => this.ask(exploreNeighbors(parameters), parameters, context),
      find_paths: (parameters, context) => this.ask(findPaths(parameters), parameters, context),
      aggregate_nodes: (parameters, context) =>
        this.ask({ query_type: 'aggregation', ...queryPart(parameters) }, parameters, context),
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

/** All that is part of a query; `after` is its cursor. */
function queryPart({ format: _format, agentDefId: _agent, after, ...rest }: Parameters): Parameters {
  return { ...rest, ...(after !== undefined && { cursor: { after } }) };
}

function findNodes(parameters: Parameters): object {
  const { limit, cursor, order_by, ...node } = queryPart(parameters);
  const order = typeof order_by === 'string' ? order_by.replace(/^(-?)/, '$1n.') : undefined;
  return {
    query_type: 'traversal',
    nodes: [{ id: 'n', ...node }],
    ...given({ limit, cursor, order_by: order }),
  };
}

function exploreNeighbors(parameters: Parameters): object {
  const { entity, node_id, limit, cursor, ...neighbors } = queryPart(parameters);
  return {
    query_type: 'neighbors',
    nodes: [{ id: 'n', entity, node_ids: [node_id] }],
    neighbors,
    ...given({ limit, cursor }),
  };
}

function findPaths(parameters: Parameters): object {
  const { from, to, limit, cursor, ...path } = queryPart(parameters);
  return {
    query_type: 'path_finding',
    nodes: [
      { id: 'a', ...(from as object) },
      { id: 'b', ...(to as object) },
    ],
    path: { from: 'a', to: 'b', ...path },
    ...given({ limit, cursor }),
  };
}

function given(members: Parameters): Parameters {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
