import { Body, Controller, Get, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf } from '../platform/http/parameters.js';
import { type GraphAnswer, graphAnswerSchema, responseFormatAnswer } from './answering/response-format.js';
import { dslAnswer } from './reading/dsl-schema.js';
import { GraphQueries } from './graph.lookup.js';
import {
  dslExample,
  formatQuery,
  type FormatQuery,
  graphAnswerExample,
  queryBody,
  type QueryBody,
  queryExample,
  responseFormatExample,
  schemaAnswerSchema,
  schemaExample,
  schemaQuery,
  type SchemaQuery,
  statusAnswer,
  statusExample,
  statusQuery,
  type StatusQuery,
  versionedSchema,
} from './graph.schemas.js';
import { answerText, dslText, responseFormatText, schemaText, toonText } from './answering/llm-text.js';
import { schemaAnswer } from './schema-answer.js';

const readers = ['catalog:agent', 'catalog:read'] as const;

/** Serves the catalog as a graph (docs/contract.md, section 11). */
@Controller('v1/hosts/:hostId/graph')
export class GraphController {
  constructor(private readonly queries: GraphQueries) {}

  @Post('query')
  @Operation({
    id: 'queryGraph',
    summary: 'Query the catalog as a graph',
    description:
      'Read-only. A query that can’t be run is refused with `invalid_graph_query` and every fault; one that runs too ' +
      'long with `graph_query_too_slow`. `format: llm` answers `text/plain` in TOON.',
    scope: readers,
    reads: true,
    body: queryBody,
    answer: graphAnswerSchema,
    example: { body: queryExample, answer: graphAnswerExample },
  })
  async query(
    @CallerOf() caller: Caller,
    @Body() { query, format, agentDefId, ...pins }: QueryBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GraphAnswer | string> {
    const answer = await this.queries.answer(query, { caller, agentDefId, format }, pins);
    return format === 'llm' ? asText(reply, answerText(answer)) : answer;
  }

  @Get('schema')
  @Operation({
    id: 'getGraphSchema',
    summary: 'The kinds of nodes and relationships of the graph',
    description:
      'Names alone, unless more is asked for: `expand_nodes`, `expand_relationship_types`, or all by `expand_schema`.',
    scope: readers,
    query: schemaQuery,
    answer: schemaAnswerSchema,
    example: { query: { expand_nodes: ['ToolParam'] }, answer: schemaExample },
  })
  schema(@Query() query: SchemaQuery, @Res({ passthrough: true }) reply: FastifyReply): object | string {
    const { format, expand_nodes, expand_relationship_types, expand_schema, revision } = query;
    const answer = schemaAnswer({
      expand_schema,
      ...(revision !== undefined && { revision }),
      expand_nodes: split(expand_nodes),
      expand_relationship_types: split(expand_relationship_types),
    });
    return format === 'llm' ? asText(reply, schemaText(answer)) : answer;
  }

  @Get('dsl')
  @Operation({
    id: 'getQueryDsl',
    summary: 'The query language, as a JSON Schema with its version',
    scope: readers,
    query: formatQuery,
    answer: versionedSchema,
    example: { answer: dslExample },
  })
  dsl(@Query() { format }: FormatQuery, @Res({ passthrough: true }) reply: FastifyReply): object | string {
    return format === 'llm' ? asText(reply, dslText()) : dslAnswer();
  }

  @Get('response-format')
  @Operation({
    id: 'getResponseFormat',
    summary: 'The format of answers, as a JSON Schema with its version',
    scope: readers,
    query: formatQuery,
    answer: versionedSchema,
    example: { answer: responseFormatExample },
  })
  responseFormat(
    @Query() { format }: FormatQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): object | string {
    return format === 'llm' ? asText(reply, responseFormatText()) : responseFormatAnswer();
  }

  @Get('status')
  @Operation({
    id: 'getGraphStatus',
    summary: 'What the caller sees of the graph, counted',
    scope: readers,
    query: statusQuery,
    answer: statusAnswer,
    example: { answer: statusExample },
  })
  async status(
    @CallerOf() caller: Caller,
    @Query() { format, agentDefId }: StatusQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | string> {
    const answer = await this.queries.status({ caller, agentDefId });
    return format === 'llm' ? asText(reply, toonText(answer)) : answer;
  }
}

function asText(reply: FastifyReply, text: string): string {
  void reply.type('text/plain; charset=utf-8');
  return text;
}

/** Splits names at commas. */
function split(names: readonly string[] | undefined): string[] {
  return (names ?? []).flatMap((name) => name.split(',')).map((name) => name.trim());
}
