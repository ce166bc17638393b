import { Injectable } from '@nestjs/common';
import {
  answerText,
  dslAnswer,
  dslText,
  type GraphAnswer,
  responseFormatAnswer,
  responseFormatText,
  schemaAnswer,
  schemaText,
} from '../graph/shared.js';
import { GraphQueries } from '../graph/public.js';
import {
  type AgentCommand,
  agentOf,
  type CommandContext,
  type CommandInterceptor,
  type CommandResult,
  type Interception,
  type Parameters,
} from './agent-command.js';
import { type GraphCommandName, graphSpecs } from './graph-commands.js';
import { Invalid } from '../kernel/errors.js';

/** Runs the commands on the graph, each of which becomes a query. */
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

/** The parameters that are part of the query; `after` becomes its cursor. */
function queryPart({ format: _format, agentDefId: _agent, after, ...rest }: Parameters): Parameters {
  return { ...rest, ...(after !== undefined && { cursor: { after } }) };
}

export function traverseRelationships(parameters: Parameters): object {
  return { query_type: 'traversal', ...queryPart(parameters) };
}

export function aggregateNodes(parameters: Parameters): object {
  return { query_type: 'aggregation', ...queryPart(parameters) };
}

export function findNodes(parameters: Parameters): object {
  const { limit, cursor, order_by, ...node } = queryPart(parameters);
  const order = typeof order_by === 'string' ? order_by.replace(/^(-?)/, '$1n.') : undefined;
  return {
    query_type: 'traversal',
    nodes: [{ id: 'n', ...node }],
    ...given({ limit, cursor, order_by: order }),
  };
}

export function exploreNeighbors(parameters: Parameters): object {
  const { entity, node_id, limit, cursor, ...neighbors } = queryPart(parameters);
  return {
    query_type: 'neighbors',
    nodes: [{ id: 'n', entity, node_ids: [node_id] }],
    neighbors,
    ...given({ limit, cursor }),
  };
}

export function findPaths(parameters: Parameters): object {
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

/** Rows of one page of a stream, which are in memory together. */
const pageRows = 100;
const fallbackLimit = 30;

/** Carries out `query_graph`: one small answer for models, else a stream of pages. */
@Injectable()
export class QueryGraphInterceptor implements CommandInterceptor {
  constructor(private readonly graph: GraphQueries) {}

  async intercept(
    command: AgentCommand,
    parameters: Parameters,
    context: CommandContext,
  ): Promise<Interception> {
    if (command.name !== 'query_graph') return { handled: false };
    const { query, formatVersion, languageVersion } = parameters as {
      readonly query: object;
      readonly formatVersion?: string;
      readonly languageVersion?: string;
    };
    const pins = { formatVersion, languageVersion };
    const asking = {
      caller: context.caller,
      agentDefId: agentOf(parameters, context),
      format: context.format,
    };
    if (context.format === 'llm' || !context.streams) {
      const answer = await this.graph.answer(query, asking, pins);
      return { handled: true, result: { value: answer, text: answerText(answer) } };
    }
    // Only the first page counts against the rate limit.
    let further = false;
    const ask = (page: object): Promise<GraphAnswer> => {
      const counted = { ...asking, further };
      further = true;
      return this.graph.answer(page, counted, pins);
    };
    // Read before the stream begins, so that faults have a status.
    const limit = limitOf(query);
    const first = await fitting(Math.min(pageRows, limit), (rows) => ask(pageOf(query, rows)));
    return { handled: true, stream: lines(query, first, limit, ask) };
  }
}

/** Reads page by page with a query each, so that a slow reader holds nothing open. */
async function* lines(
  query: object,
  first: GraphAnswer,
  limit: number,
  ask: (page: object) => Promise<GraphAnswer>,
): AsyncIterable<string> {
  const { format_version, query_type, columns, group_columns, debug } = first;
  yield line({ kind: 'header', format_version, query_type, columns, group_columns, debug });
  let answer = first;
  let rows = 0;
  for (;;) {
    for (const node of answer.nodes) yield line({ kind: 'node', node });
    for (const edge of answer.edges) yield line({ kind: 'edge', edge });
    for (const row of answer.rows ?? []) yield line({ kind: 'row', row });
    rows += answer.pagination.page_rows;
    const { next_cursor } = answer.pagination;
    if (next_cursor === undefined || rows >= limit) break;
    answer = await fitting(Math.min(pageRows, limit - rows), (size) => ask(pageOf(query, size, next_cursor)));
  }
  yield line({ kind: 'end', pagination: { ...answer.pagination, page_rows: rows } });
}

/** Reads a page of so many rows; of half as many where the answer would be too large. */
async function fitting(rows: number, ask: (rows: number) => Promise<GraphAnswer>): Promise<GraphAnswer> {
  try {
    return await ask(rows);
  } catch (error) {
    const isTooLarge = error instanceof Invalid && error.code === 'graph_answer_too_large';
    if (!isTooLarge || rows < 2) throw error;
    return fitting(Math.floor(rows / 2), ask);
  }
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function limitOf(query: object): number {
  const { limit, cursor } = query as {
    readonly limit?: unknown;
    readonly cursor?: { readonly page_size?: unknown };
  };
  const wanted = cursor?.page_size ?? limit;
  return typeof wanted === 'number' ? wanted : fallbackLimit;
}

/** Sets the page of a query; an invalid limit is left to the check of the query. */
function pageOf(query: object, rows: number, after?: string): object {
  const { cursor, ...rest } = query as { readonly cursor?: unknown };
  if (!isPlainCursor(cursor) || !Number.isInteger(limitOf(query)) || limitOf(query) > 1000) return query;
  const behind = after ?? cursor?.after;
  return { ...rest, cursor: { page_size: rows, ...(behind !== undefined && { after: behind }) } };
}

function isPlainCursor(cursor: unknown): cursor is { readonly after?: string } | undefined {
  return cursor === undefined || (typeof cursor === 'object' && cursor !== null);
}
