import { Body, Controller, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ImpactLookup } from '../endpoints/impact.lookup.js';
import { impactAnswer, impactExample, type Impact } from '../endpoints/impact.schemas.js';
import type { Command, Outcome, WriteContext } from '../eventsourcing/command.js';
import { DATABASE, type Database, type Sql } from '../eventsourcing/sql.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer } from '../platform/http/schemas.js';
import {
  listedTool,
  toolAnswer,
  toolDeactivationReceipt,
  toolWordsReceipt,
  toolReceipt,
} from './tool-answers.schemas.js';
import { checkToolSchemas } from './tool-schema-check.js';
import {
  planAcceptance,
  planActivation,
  planCreation,
  planDeactivation,
  planUpdate,
} from './tool-words.planner.js';
import { redacted } from '../platform/validation/redacted-texts.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { type Write, WriteCommand } from '../platform/use-cases/write-command.js';
import { listedToolExample, toolExample, toolReceiptExample } from './tool.examples.js';
import {
  newTool,
  toolListQuery,
  toolPatch,
  type NewTool,
  type ToolListQuery,
  type ToolPatch,
} from './tool.schemas.js';
import type { KnownTool } from './tool.state.js';
import { GetTool, ListTools } from './tools.queries.js';
import { withheldScript } from './withheld-tools.planner.js';

const written = { ...toolReceiptExample, version: 2, position: 13 };

@Controller('v1/hosts/:hostId/tools')
export class ToolsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
    private readonly impacts: ImpactLookup,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  @Get()
  @Operation({
    id: 'listTools',
    summary: 'List tools',
    scope: 'catalog:read',
    query: toolListQuery,
    answer: listAnswer(listedTool),
    example: { query: { domain: 'finance.accounts' }, answer: { items: [listedToolExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: ToolListQuery) {
    return this.queryBus.execute(new ListTools(visibility, query));
  }

  @Get(':toolId')
  @Operation({
    id: 'getTool',
    summary: 'Get a tool',
    description:
      'With its params, what an operator has said over it, and what changed beneath and is not accepted yet.',
    scope: 'catalog:read',
    answer: toolAnswer,
    example: { answer: toolExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('toolId') toolId: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetTool(visibility, toolId)));
  }

  @Get(':toolId/impact')
  @Operation({
    id: 'getToolImpact',
    summary: 'What would change if a tool went inactive',
    description: 'Cut to what the token covers; empty where it is inactive already.',
    scope: 'catalog:read',
    answer: impactAnswer,
    example: { answer: impactExample },
  })
  async impact(@VisibleTo() visibility: Visibility, @Param('toolId') toolId: string): Promise<Impact> {
    await this.queryBus.execute(new GetTool(visibility, toolId));
    return this.impacts.of(this.database.of(visibility.hostId), visibility, { kind: 'tool', id: toolId });
  }

  @Post()
  @Operation({
    id: 'createTool',
    summary: 'Make a tool without an endpoint',
    description:
      'The catalog describes it and never runs it. It serves every environment. Refused with `tool_name_taken` ' +
      'where another active tool has the name, and with `invalid_schema` where a schema is no JSON Schema 2020-12. ' +
      'Secrets in its texts are replaced, with a warning. Text that addresses the model is marked, and `withheld` says where ' +
      'agents are not given the tool until it is accepted.',
    scope: 'catalog:write',
    body: newTool,
    status: 201,
    answer: toolWordsReceipt,
    example: {
      body: {
        name: 'addNumbers',
        description: 'Adds two numbers.',
        implementationType: 'python',
        scriptContent: 'def run(a, b): return a + b',
        inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
      },
      answer: { ...toolReceiptExample, name: 'addNumbers' },
    },
  })
  async create(@WriterOf() writer: Writer, @Body() sent: NewTool): Promise<Reply> {
    checkToolSchemas(sent);
    const { body, warnings } = await redacted(sent);
    const { context } = writer;
    const location = ({ id }: Outcome) => `/v1/hosts/${context.hostId}/tools/${id}`;
    const reply = receipt(201, warned(warnings), location);
    return this.write(context, (sql) => planCreation(sql, writer, body), reply);
  }

  @Patch(':toolId')
  @Operation({
    id: 'updateTool',
    summary: "Write the operator's words on a tool",
    description:
      'They survive every refresh of the endpoint; null takes one back. Lowering the sensitivity tier, clearing a ' +
      'safety flag and setting an approval workflow also need catalog:admin. The name is frozen. Secrets are replaced, ' +
      'with a warning. A tool without an endpoint may be given other schemas: the change is graded, raises the version, and is ' +
      'marked until it is accepted; `withheld` says where agents are not given the tool meanwhile. `tool_has_endpoint` where the schemas are those of an endpoint, `invalid_schema` where one is no ' +
      'JSON Schema 2020-12.',
    scope: 'catalog:write',
    body: toolPatch,
    answer: toolWordsReceipt,
    example: {
      body: { description: 'Shows the balance of one account.' },
      answer: { ...written, toolVersion: '1.0.1' },
    },
  })
  async update(
    @WriterOf() writer: Writer,
    @Param('toolId') toolId: string,
    @Body() sent: ToolPatch,
  ): Promise<Reply> {
    checkToolSchemas(sent);
    const { body, warnings } = await redacted(sent);
    const plan = (sql: Sql) => planUpdate(sql, writer, toolId, body);
    return this.write(writer.context, plan, receipt(200, warned(warnings)));
  }

  @Post(':toolId/activate')
  @Operation({
    id: 'activateTool',
    summary: 'Offer a tool again',
    description: 'Refused with `tool_name_taken` where another active tool has its name by now.',
    scope: 'catalog:write',
    answer: toolReceipt,
    example: { answer: written },
  })
  activate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('toolId') toolId: string,
  ): Promise<Reply> {
    return this.write(context, (sql) => planActivation(sql, visibility, toolId));
  }

  @Post(':toolId/deactivate')
  @Operation({
    id: 'deactivateTool',
    summary: 'Offer a tool no longer',
    description:
      'Skills keep it and agents keep their skills; the tool is withheld from them. The answer says whom it hits.',
    scope: 'catalog:write',
    answer: toolDeactivationReceipt,
    example: { answer: { ...written, active: false, impact: impactExample } },
  })
  async deactivate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('toolId') toolId: string,
  ): Promise<Reply> {
    const impact = await this.impacts.of(this.database.of(visibility.hostId), visibility, {
      kind: 'tool',
      id: toolId,
    });
    const plan = (sql: Sql) => planDeactivation(sql, visibility, toolId);
    return this.write(
      context,
      plan,
      receipt(200, (outcome) => ({ ...inReceipt(outcome), impact })),
    );
  }

  @Post(':toolId/changes/accept')
  @Operation({
    id: 'acceptToolChanges',
    summary: 'Accept what has changed beneath a tool',
    description:
      'Clears the mark that a refresh of the endpoint has left, and that of the endpoint. Accepting a ' +
      'suspicious change (a guard is loosened, a safety flag turned, a text addresses the model) needs catalog:admin.',
    scope: 'catalog:write',
    answer: toolReceipt,
    example: { answer: written },
  })
  accept(@WriterOf() writer: Writer, @Param('toolId') toolId: string): Promise<Reply> {
    return this.write(writer.context, (sql) => planAcceptance(sql, writer, toolId));
  }

  private write(
    context: WriteContext,
    plan: (sql: Sql) => Promise<Command[]>,
    reply: Write['reply'] = receipt(200, inReceipt),
  ): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply }));
  }
}

/** What a receipt says of the tool beside its id and aggregate version. */
export function inReceipt({ after }: Outcome): object {
  const { name, version: toolVersion, status } = after as KnownTool;
  return { name, toolVersion, active: status === 'active' };
}

/** The same, where secrets were replaced, and whether the tool has to be accepted before agents are given it. */
function warned(warnings: readonly object[]): (outcome: Outcome) => object {
  return (outcome) => {
    const withheld = withheldScript(outcome.id, outcome.after as KnownTool);
    return {
      ...inReceipt(outcome),
      ...(warnings.length > 0 && { warnings }),
      ...(withheld.length > 0 && { withheld }),
    };
  };
}
