import { Body, Controller, Param, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { receipts } from '../platform/http/replies.js';
import { planBatch, planReplacement } from './agent-skill.batch.js';
import type { AgentSkillCommand } from './agent-skill.commands.js';
import {
  assignmentBatch,
  assignmentBatchAnswer,
  assignmentReplacement,
  validationAnswer,
  type AssignmentBatch,
} from './agent-skill.schemas.js';
import { ValidateAgentSkills } from './agent-skill-validation.queries.js';
import { assignmentExample, batchReceipt, validationExample } from './agent.examples.js';

/** The skills of an agent, several at once. */
@Controller('v1/hosts/:hostId/agents/:agentDefId/skills')
export class AgentSkillBatchesController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Post()
  @Operation({
    id: 'createAgentSkill',
    summary: 'Assign skills to an agent',
    description:
      'All or none: where one can’t be assigned, the answer is 409 with every problem of every skill (`skill_not_found`, ' +
      '`skill_inactive`, `skill_without_active_tool`, `already_assigned` on other terms), its code being that of the ' +
      'first. What is assigned on equal terms stays as it is.',
    scope: 'catalog:write',
    body: assignmentBatch,
    batch: true,
    status: 201,
    answer: assignmentBatchAnswer,
    example: { body: { skills: [assignmentExample] }, answer: batchReceipt },
  })
  assign(
    @WriterOf() { context, caller, visibility }: Writer,
    @Param('agentDefId') agentDefId: string,
    @Body() { skills }: AssignmentBatch,
  ): Promise<Reply> {
    const request = { caller, visibility, agentDefId };
    return this.write(context, (sql) => planBatch(sql, request, skills), receipts(201, skillOf));
  }

  @Put()
  @Operation({
    id: 'replaceAgentSkills',
    summary: 'Replace the skills of an agent',
    description:
      'Afterwards the agent has just these. What stays as it is need not pass the rule of assignment; the rest is ' +
      'refused as by createAgentSkill. The answer has an item for each skill named and each taken away.',
    scope: 'catalog:write',
    body: assignmentReplacement,
    batch: true,
    answer: assignmentBatchAnswer,
    example: { body: { skills: [assignmentExample] }, answer: batchReceipt },
  })
  replace(
    @WriterOf() { context, caller, visibility }: Writer,
    @Param('agentDefId') agentDefId: string,
    @Body() { skills }: AssignmentBatch,
  ): Promise<Reply> {
    const request = { caller, visibility, agentDefId };
    return this.write(context, (sql) => planReplacement(sql, request, skills), receipts(200, skillOf));
  }

  @Post('validate')
  @Operation({
    id: 'validateAgentSkills',
    reads: true,
    summary: 'Check whether skills could be assigned',
    description: 'The checks of createAgentSkill without writing.',
    scope: 'catalog:read',
    body: assignmentBatch,
    answer: validationAnswer,
    example: { body: { skills: [assignmentExample] }, answer: validationExample },
  })
  validate(
    @CallerOf() caller: Caller,
    @VisibleTo() visibility: Visibility,
    @Param('agentDefId') agentDefId: string,
    @Body() { skills }: AssignmentBatch,
  ) {
    return this.queryBus.execute(new ValidateAgentSkills({ caller, visibility, agentDefId }, skills));
  }

  private write(context: WriteContext, plan: Write['plan'], reply: Write['reply']): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply }));
  }
}

function skillOf({ command }: Parameters<Write['reply']>[0][number]): { readonly skillId: string } {
  return { skillId: (command as AgentSkillCommand).payload.skillId };
}
