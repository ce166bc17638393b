import { Readable } from 'node:stream';
import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { NotFound } from '../kernel/errors.js';
import type { Caller } from '../platform/auth/caller.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, present } from '../platform/http/parameters.js';
import { writeTermsOf } from '../platform/http/write-context.js';
import type { CommandContext, Parameters } from './agent-command.js';
import { CommandDispatcher, CommandRegistry } from './command-dispatcher.service.js';
import { commandList, commandsText, listedCommand, listedCommandExample, MAX_NAMES } from './command-list.js';

const anyScope = ['catalog:agent', 'catalog:read'] as const;

const listQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    command_names: {
      type: 'array',
      maxItems: MAX_NAMES,
      items: { type: 'string', minLength: 1, maxLength: 1000 },
    },
    format: { type: 'string', enum: ['raw', 'llm'], default: 'raw' },
    agentDefId: { type: 'string', format: 'uuid' },
  },
} as const satisfies JSONSchema;

const openBody = { type: 'object' } as const satisfies JSONSchema;

/** Serves the commands over REST. They change with the registry, and are not part of the OpenAPI document. */
@Controller('v1/hosts/:hostId/agent/commands')
export class AgentCommandsController {
  constructor(
    private readonly registry: CommandRegistry,
    private readonly dispatcher: CommandDispatcher,
  ) {}

  @Get()
  @Operation({
    id: 'listAgentCommands',
    summary: 'List the commands that the token may use',
    scope: anyScope,
    evolving: true,
    query: listQuery,
    answer: commandList,
    example: { query: { command_names: 'get_query_dsl' }, answer: { commands: [listedCommandExample] } },
  })
  list(
    @CallerOf() caller: Caller,
    @Query() { command_names, format }: FromSchema<typeof listQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): object | string {
    const wanted = command_names?.flatMap((name) => name.split(','));
    const usable = this.registry.usableBy(caller);
    const unknown = wanted?.find((name) => !usable.some((command) => command.name === name));
    if (unknown !== undefined) throw new NotFound('command', unknown);
    const listed = usable.filter(({ name }) => wanted?.includes(name) ?? true);
    return format === 'llm' ? asText(reply, commandsText(listed)) : { commands: listed.map(listedCommand) };
  }

  @Post(':name')
  @Operation({
    id: 'invokeAgentCommand',
    summary: 'Carry out a command',
    description: 'The body is its parameters. `query_graph` in the format raw answers NDJSON.',
    scope: [...anyScope, 'catalog:write', 'catalog:approve'],
    evolving: true,
    reads: true,
    body: openBody,
    answer: openBody,
    example: { body: {}, answer: { format: 'portal_catalog.query_dsl.v1', version: '1.0.0', schema: {} } },
  })
  async invoke(
    @Param('name') name: string,
    @Body() parameters: Parameters,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | string> {
    const caller = present(request.caller, 'caller');
    const context: CommandContext = {
      caller,
      ...{ agentDefId: caller.agentDefId, format: 'raw', streams: true },
      ...{ correlationId: request.id, terms: writeTermsOf(request.headers) },
    };
    const dispatched = await this.dispatcher.dispatch(name, parameters, context);
    if ('stream' in dispatched) {
      void reply.type('application/x-ndjson').header('x-accel-buffering', 'no');
      return Readable.from(dispatched.stream);
    }
    return parameters['format'] === 'llm' ? asText(reply, dispatched.text) : dispatched.value;
  }
}

function asText(reply: FastifyReply, text: string): string {
  void reply.type('text/plain; charset=utf-8');
  return text;
}
