import { Injectable } from '@nestjs/common';
import { Invalid } from '../eventsourcing/errors.js';
import { GraphQueries } from '../graph/graph.lookup.js';
import { answerText } from '../graph/llm-text.js';
import type { GraphAnswer } from '../graph/response-format.js';
import { agentOf, type AgentCommand, type CommandContext, type Parameters } from './agent-command.js';
import type { CommandInterceptor, Interception } from './command-interceptor.js';

/** Rows of one page of a stream: what is held in memory at once. */
const pageRows = 100;
const fallbackLimit = 30;

/** `query_graph`: for models one small answer; raw a stream that reads on as fast as its reader. */
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
    // One query, whatever pages it is read in.
    let further = false;
    const ask = (page: object): Promise<GraphAnswer> => {
      const counted = { ...asking, further };
      further = true;
      return this.graph.answer(page, counted, pins);
    };
    // Its faults are found before the stream begins: later there is no status to tell them by.
    const limit = limitOf(query);
    const first = await fitting(Math.min(pageRows, limit), (rows) => ask(pageOf(query, rows)));
    return { handled: true, stream: lines(query, first, limit, ask) };
  }
}

/** Each page is a query of its own: nothing is held open while the reader takes its time. */
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

/** A page of so many rows, or of half, a quarter, … where that is more than one answer may hold. */
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

/** What is wrong with its limit is left for the query's own check to say. */
function pageOf(query: object, rows: number, after?: string): object {
  const { cursor, ...rest } = query as { readonly cursor?: unknown };
  if (!isPlainCursor(cursor) || !Number.isInteger(limitOf(query)) || limitOf(query) > 1000) return query;
  const behind = after ?? cursor?.after;
  return { ...rest, cursor: { page_size: rows, ...(behind !== undefined && { after: behind }) } };
}

function isPlainCursor(cursor: unknown): cursor is { readonly after?: string } | undefined {
  return cursor === undefined || (typeof cursor === 'object' && cursor !== null);
}
