import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Outcome, WriteContext } from '../eventsourcing/command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer } from '../platform/http/schemas.js';
import type { Reply } from '../platform/idempotency/kept-replies.js';
import { type Write, WriteCommand } from '../platform/use-cases/write-command.js';
import { readContent } from './workflow-content.js';
import {
  ActivateWorkflow,
  DeactivateWorkflow,
  DeprecateWorkflow,
  PublishWorkflow,
} from './workflow.commands.js';
import type { KnownWorkflow } from './workflow.decider.js';
import {
  listedWorkflowExample,
  newWorkflowExample,
  workflowExample,
  workflowReceiptExample,
} from './workflow.examples.js';
import { planCreation, planStep, planUpdate } from './workflow.planner.js';
import {
  listedWorkflow,
  newWorkflow,
  workflowAnswer,
  workflowListQuery,
  workflowPatch,
  workflowReceipt,
  type NewWorkflow,
  type WorkflowListQuery,
  type WorkflowPatch,
} from './workflow.schemas.js';
import { GetWorkflow, ListWorkflows } from './workflows.queries.js';

const written = { ...workflowReceiptExample, version: 2, position: 21 };

@Controller('v1/hosts/:hostId/workflows')
export class WorkflowsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listWorkflows',
    summary: 'List workflows',
    description: 'Each version for itself, without its definition, ordered by name.',
    scope: 'catalog:read',
    query: workflowListQuery,
    answer: listAnswer(listedWorkflow),
    example: { query: { lifecycleStatus: 'DRAFT' }, answer: { items: [listedWorkflowExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: WorkflowListQuery) {
    return this.queryBus.execute(new ListWorkflows(visibility, query));
  }

  @Get(':wfDefId')
  @Operation({
    id: 'getWorkflow',
    summary: 'Get a workflow',
    scope: 'catalog:read',
    answer: workflowAnswer,
    example: { answer: workflowExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('wfDefId') wfDefId: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetWorkflow(visibility, wfDefId)));
  }

  @Post()
  @Operation({
    id: 'createWorkflow',
    summary: 'Write a version of a workflow',
    description:
      'A draft. Refused with `workflow_version_taken`, with `workflow_definition_invalid` and all faults where the ' +
      'definition can’t be read or its calls can’t be told, and with `workflow_contains_secret`.',
    scope: 'catalog:write',
    body: newWorkflow,
    status: 201,
    answer: workflowReceipt,
    example: { body: newWorkflowExample, answer: workflowReceiptExample },
  })
  async create(@Context() context: WriteContext, @Body() body: NewWorkflow): Promise<Reply> {
    const { hostId } = context;
    const { definition, ...identity } = body;
    const words = { ...identity, ...(await readContent(definition, identity)) };
    const location = ({ id }: Outcome) => `/v1/hosts/${hostId}/workflows/${id}`;
    const reply = receipt(201, inReceipt, location);
    return this.write({ context, mode: 'locked', plan: (sql) => planCreation(sql, hostId, words), reply });
  }

  @Patch(':wfDefId')
  @Operation({
    id: 'updateWorkflow',
    summary: 'Change a draft',
    description:
      'What is left out stays. Refused with `workflow_not_draft` once it was published, with ' +
      '`workflow_tool_not_linked` where a skill that has the workflow lacks a tool it calls, and as on creation.',
    scope: 'catalog:write',
    body: workflowPatch,
    answer: workflowReceipt,
    example: { body: { version: '1.1.0' }, answer: written },
  })
  async update(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('wfDefId') wfDefId: string,
    @Body() body: WorkflowPatch,
  ): Promise<Reply> {
    const { definition, ...identity } = body;
    const content = definition === undefined ? {} : await readContent(definition, identity);
    const plan: Write['plan'] = (sql) => planUpdate(sql, visibility, wfDefId, { ...identity, ...content });
    return this.write({ context, mode: 'locked', plan, reply: receipt(200, inReceipt) });
  }

  @Post(':wfDefId/publish')
  @Operation({
    id: 'publishWorkflow',
    summary: 'Publish a draft',
    description:
      'It never changes again, and may approve calls. Every skill that has it is checked once more: 409 ' +
      '`workflow_tool_not_linked`. A deprecated one is refused: `workflow_deprecated`.',
    scope: 'catalog:write',
    answer: workflowReceipt,
    example: { answer: { ...written, lifecycleStatus: 'PUBLISHED' } },
  })
  publish(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('wfDefId') wfDefId: string,
  ): Promise<Reply> {
    return this.step(context, (sql) => planStep(sql, visibility, wfDefId, PublishWorkflow));
  }

  @Post(':wfDefId/deprecate')
  @Operation({
    id: 'deprecateWorkflow',
    summary: 'Deprecate a published workflow',
    description: 'For good. Skills keep it, flagged; it approves nothing any more.',
    scope: 'catalog:write',
    answer: workflowReceipt,
    example: { answer: { ...written, lifecycleStatus: 'DEPRECATED' } },
  })
  deprecate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('wfDefId') wfDefId: string,
  ): Promise<Reply> {
    return this.step(context, (sql) => planStep(sql, visibility, wfDefId, DeprecateWorkflow));
  }

  @Post(':wfDefId/activate')
  @Operation({
    id: 'activateWorkflow',
    summary: 'Activate a workflow',
    scope: 'catalog:write',
    answer: workflowReceipt,
    example: { answer: written },
  })
  activate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('wfDefId') wfDefId: string,
  ): Promise<Reply> {
    return this.step(context, (sql) => planStep(sql, visibility, wfDefId, ActivateWorkflow));
  }

  @Post(':wfDefId/deactivate')
  @Operation({
    id: 'deactivateWorkflow',
    summary: 'Deactivate a workflow',
    description: 'Skills keep it, flagged; it approves nothing until it is activated again.',
    scope: 'catalog:write',
    answer: workflowReceipt,
    example: { answer: written },
  })
  deactivate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('wfDefId') wfDefId: string,
  ): Promise<Reply> {
    return this.step(context, (sql) => planStep(sql, visibility, wfDefId, DeactivateWorkflow));
  }

  private step(context: WriteContext, plan: Write['plan']): Promise<Reply> {
    return this.write({ context, mode: 'locked', plan, reply: receipt(200, inReceipt) });
  }

  private write(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}

/** What a receipt says of the workflow beside its id and aggregate version. */
function inReceipt({ after }: Outcome): object {
  const { status, words } = after as KnownWorkflow;
  return { lifecycleStatus: status, warnings: words.warnings };
}
