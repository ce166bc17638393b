import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import type { SkillWorkflow } from './skill-workflow.events.js';
import type { SkillWorkflowState } from './skill-workflow.decider.js';
import { planWorkflowLink, planWorkflowUnlink } from './skill-workflow.planner.js';
import {
  skillWorkflowAnswer,
  skillWorkflowListQuery,
  workflowLinkBody,
  workflowRole,
  type SkillWorkflowListQuery,
  type WorkflowLinkBody,
} from './skill-workflow.schemas.js';
import { GetSkillWorkflow, ListSkillWorkflows } from './skill-workflows.queries.js';
import { skillWorkflowExample, workflowLinkReceipt } from './skill.examples.js';

@Controller('v1/hosts/:hostId/skills/:skillId/workflows')
export class SkillWorkflowsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listSkillWorkflows',
    summary: 'List the workflows of a skill',
    description: 'Ordered by the name of the workflow, with what is found wrong with each.',
    scope: 'catalog:read',
    query: skillWorkflowListQuery,
    answer: listAnswer(skillWorkflowAnswer),
    example: { answer: { items: [skillWorkflowExample] } },
  })
  list(
    @VisibleTo() visibility: Visibility,
    @Param('skillId') skillId: string,
    @Query() query: SkillWorkflowListQuery,
  ) {
    return this.queryBus.execute(new ListSkillWorkflows(visibility, skillId, query));
  }

  @Get(':wfDefId/:workflowRole')
  @Operation({
    id: 'getSkillWorkflow',
    summary: 'Get a workflow of a skill',
    description: '404 where there is no link, or where it was taken away.',
    scope: 'catalog:read',
    params: { workflowRole },
    answer: skillWorkflowAnswer,
    example: { answer: skillWorkflowExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param() link: SkillWorkflow): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetSkillWorkflow(visibility, link)));
  }

  @Put(':wfDefId/:workflowRole')
  @Operation({
    id: 'putSkillWorkflow',
    summary: 'Link a workflow to a skill',
    description:
      'Writes the whole link: 201 where it is new. Refused with `workflow_tool_not_linked` where a step calls a tool ' +
      'that the skill does not have, and with `primary_workflow_taken` where it has another primary workflow.',
    scope: 'catalog:write',
    creates: true,
    params: { workflowRole },
    body: workflowLinkBody,
    answer: receiptAnswer,
    example: {
      body: { startMode: 'agent', config: skillWorkflowExample.config },
      answer: workflowLinkReceipt,
    },
  })
  put(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param() { skillId, wfDefId, workflowRole: role }: SkillWorkflow,
    @Body() body: WorkflowLinkBody,
  ): Promise<Reply> {
    const link = { skillId, wfDefId, workflowRole: role };
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'locked',
        plan: (sql) => planWorkflowLink(sql, visibility, link, body),
        reply: (outcomes, position) => {
          const before = outcomes[0]?.before as SkillWorkflowState;
          return receipt(before.status === 'absent' ? 201 : 200)(outcomes, position);
        },
      }),
    );
  }

  @Delete(':wfDefId/:workflowRole')
  @Operation({
    id: 'deleteSkillWorkflow',
    summary: 'Take a workflow from a skill',
    scope: 'catalog:write',
    params: { workflowRole },
    answer: receiptAnswer,
    example: { answer: { ...workflowLinkReceipt, version: 2, position: 25 } },
  })
  delete(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param() { skillId, wfDefId, workflowRole: role }: SkillWorkflow,
  ): Promise<Reply> {
    const link = { skillId, wfDefId, workflowRole: role };
    return this.commandBus.execute(
      new WriteCommand({
        context,
        mode: 'locked',
        plan: (sql) => planWorkflowUnlink(sql, visibility, link),
        reply: receipt(200),
      }),
    );
  }
}
