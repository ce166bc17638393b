import { Body, Controller, Delete, Get, Param, Patch, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import type { AgentSkillState } from './agent-skill.decider.js';
import { planChange, planPut, planUnassignment } from './agent-skill.planner.js';
import {
  agentSkillAnswer,
  agentSkillListQuery,
  assignmentBody,
  assignmentPatch,
  type AgentSkillListQuery,
  type AssignmentBody,
  type AssignmentPatch,
} from './agent-skill.schemas.js';
import { GetAgentSkill, ListAgentSkills } from './agent-skills.queries.js';
import { agentSkillExample, assignmentReceipt, termsExample } from './agent.examples.js';

interface Pair {
  readonly agentDefId: string;
  readonly skillId: string;
}

/** The skills of an agent, one by one. */
@Controller('v1/hosts/:hostId/agents/:agentDefId/skills')
export class AgentSkillsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listAgentSkills',
    summary: 'List the skills of an agent',
    description: 'Ordered by the name of the skill.',
    scope: 'catalog:read',
    query: agentSkillListQuery,
    answer: listAnswer(agentSkillAnswer),
    example: { answer: { items: [agentSkillExample] } },
  })
  list(
    @VisibleTo() visibility: Visibility,
    @Param('agentDefId') agentDefId: string,
    @Query() query: AgentSkillListQuery,
  ) {
    return this.queryBus.execute(new ListAgentSkills(visibility, agentDefId, query));
  }

  @Get(':skillId')
  @Operation({
    id: 'getAgentSkill',
    summary: 'Get a skill of an agent',
    description: '404 where the skill is not assigned, or where the assignment was taken away.',
    scope: 'catalog:read',
    answer: agentSkillAnswer,
    example: { answer: agentSkillExample },
  })
  get(@VisibleTo() visibility: Visibility, @Param() { agentDefId, skillId }: Pair) {
    return this.queryBus.execute(new GetAgentSkill(visibility, agentDefId, skillId));
  }

  @Put(':skillId')
  @Operation({
    id: 'putAgentSkill',
    summary: 'Assign a skill to an agent, or set the terms of the assignment',
    description:
      'Writes the whole assignment: 201 where it is new. Refused with `skill_inactive` and ' +
      '`skill_without_active_tool`.',
    scope: 'catalog:write',
    creates: true,
    body: assignmentBody,
    answer: receiptAnswer,
    example: { body: termsExample, answer: assignmentReceipt },
  })
  put(
    @WriterOf() { context, caller, visibility }: Writer,
    @Param() { agentDefId, skillId }: Pair,
    @Body() body: AssignmentBody,
  ): Promise<Reply> {
    const request = { caller, visibility, agentDefId, skillId };
    return this.write(
      context,
      (sql) => planPut(sql, request, body),
      (outcomes, position) => {
        const before = outcomes[0]?.before as AgentSkillState;
        return receipt(before.status === 'absent' ? 201 : 200)(outcomes, position);
      },
    );
  }

  @Patch(':skillId')
  @Operation({
    id: 'updateAgentSkill',
    summary: 'Change the terms of an assignment',
    description:
      'What is left out stays; a `config` is replaced as a whole. Refused with `skill_inactive` and `skill_without_active_tool`.',
    scope: 'catalog:write',
    body: assignmentPatch,
    answer: receiptAnswer,
    example: { body: { priority: 20 }, answer: { ...assignmentReceipt, version: 2, position: 22 } },
  })
  update(
    @WriterOf() { context, caller, visibility }: Writer,
    @Param() { agentDefId, skillId }: Pair,
    @Body() body: AssignmentPatch,
  ): Promise<Reply> {
    const request = { caller, visibility, agentDefId, skillId };
    return this.write(context, (sql) => planChange(sql, request, body));
  }

  @Delete(':skillId')
  @Operation({
    id: 'deleteAgentSkill',
    summary: 'Take a skill from an agent',
    description: 'Whatever the state of the skill.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: { ...assignmentReceipt, version: 3, position: 23 } },
  })
  delete(
    @WriterOf() { context, caller, visibility }: Writer,
    @Param() { agentDefId, skillId }: Pair,
  ): Promise<Reply> {
    const request = { caller, visibility, agentDefId, skillId };
    return this.write(context, (sql) => planUnassignment(sql, request));
  }

  private write(
    context: WriteContext,
    plan: Write['plan'],
    reply: Write['reply'] = receipt(200),
  ): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand({ context, mode: 'locked', plan, reply }));
  }
}
