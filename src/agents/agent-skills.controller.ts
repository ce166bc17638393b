import { Body, Controller, Inject, Param, Patch, Post, Put } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Reply } from '../eventsourcing/command.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import type { Caller } from '../platform/auth/caller.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { CallerOf, VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { receiptReply, resultReply } from '../platform/http/replies.js';
import { receiptAnswer, receiptProperties, uuid } from '../platform/http/schemas.js';
import { bodyOf, idField, patchOf } from '../platform/records/fields.js';
import { AssignSkills, checkAssignments, ReplaceSkills, type SkillSelection } from './agent-skill.batch.js';
import { ChangeAgentSkill, type AssignmentEnds } from './agent-skill.link.js';
import { agentSkillFields, assignmentProblems, type AssignmentBody } from './agent-skill.rules.js';
import { assignmentExample, assignmentReceipt, batchReceipt, validationExample } from './agent.examples.js';

/** The most skills of one batch, and of one agent that is replaced as a whole. */
const MAX_SKILLS = 500;
type Skills = Pick<SkillSelection, 'skills'>;

const skills = {
  type: 'array',
  maxItems: MAX_SKILLS,
  items: { title: 'Assignment', ...bodyOf({ skillId: idField, ...agentSkillFields }) },
} as const;
const selection = {
  type: 'object',
  additionalProperties: false,
  required: ['skills'],
  properties: { skills },
} as const;
const someSkills = { ...selection, properties: { skills: { ...skills, minItems: 1 } } } as const;

const batchAnswer = {
  type: 'object',
  required: ['items', 'position'],
  properties: {
    items: {
      type: 'array',
      items: {
        ...receiptAnswer,
        title: 'AssignmentReceipt',
        required: [...receiptAnswer.required, 'skillId'],
        properties: { ...receiptProperties, skillId: uuid },
      },
    },
    position: { type: 'integer', minimum: 0, description: 'Position of the last event of the batch.' },
  },
} as const;

const validationAnswer = {
  type: 'object',
  required: ['items'],
  properties: {
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['skillId', 'ok', 'problems'],
        properties: {
          skillId: uuid,
          ok: { type: 'boolean' },
          problems: {
            type: 'array',
            items: {
              type: 'object',
              required: ['code', 'message'],
              properties: {
                code: { type: 'string', enum: assignmentProblems },
                message: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
} as const;

/** What can be done with the skills of an agent beside what can be done with every link. */
@Controller('v1/hosts/:hostId/agents/:agentDefId/skills')
export class AgentSkillsController {
  constructor(
    private readonly commandBus: CommandBus,
    @Inject(DATABASE) private readonly database: Database,
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
    body: someSkills,
    batch: true,
    useCase: true,
    status: 201,
    answer: batchAnswer,
    example: { body: { skills: [assignmentExample] }, answer: batchReceipt },
  })
  async assign(
    @WriterOf() writer: Writer,
    @Param('agentDefId') agentDefId: string,
    @Body() { skills }: Skills,
  ): Promise<Reply> {
    const assign = new AssignSkills(writer, { agentDefId, skills });
    return { ...resultReply(await this.commandBus.execute(assign)), status: 201 };
  }

  @Put()
  @Operation({
    id: 'replaceAgentSkills',
    summary: 'Replace the skills of an agent',
    description:
      'Afterwards the agent has just these. What stays as it is need not pass the rule of assignment; the rest is ' +
      'refused as by createAgentSkill. The answer has an item for each skill named and each taken away.',
    scope: 'catalog:write',
    body: selection,
    batch: true,
    useCase: true,
    answer: batchAnswer,
    example: { body: { skills: [assignmentExample] }, answer: batchReceipt },
  })
  async replace(
    @WriterOf() writer: Writer,
    @Param('agentDefId') agentDefId: string,
    @Body() { skills }: Skills,
  ): Promise<Reply> {
    return resultReply(await this.commandBus.execute(new ReplaceSkills(writer, { agentDefId, skills })));
  }

  @Post('validate')
  @Operation({
    id: 'validateAgentSkills',
    reads: true,
    summary: 'Check whether skills could be assigned',
    description: 'The checks of createAgentSkill without writing.',
    scope: 'catalog:read',
    body: someSkills,
    answer: validationAnswer,
    example: { body: { skills: [assignmentExample] }, answer: validationExample },
  })
  async validate(
    @CallerOf() caller: Caller,
    @VisibleTo() visibility: Visibility,
    @Param('agentDefId') agentDefId: string,
    @Body() { skills }: Skills,
  ): Promise<object> {
    const sql = this.database.of(visibility.hostId);
    return { items: await checkAssignments(sql, { agentDefId, skills }, { caller, visibility }) };
  }

  @Patch(':skillId')
  @Operation({
    id: 'updateAgentSkill',
    summary: 'Change the terms of an assignment',
    description:
      'What is left out stays; a `config` is replaced as a whole. Refused with `skill_inactive` and `skill_without_active_tool`.',
    scope: 'catalog:write',
    useCase: true,
    body: patchOf(agentSkillFields),
    answer: receiptAnswer,
    example: { body: { priority: 20 }, answer: { ...assignmentReceipt, version: 2, position: 22 } },
  })
  async update(
    @WriterOf() writer: Writer,
    @Param() { agentDefId, skillId }: AssignmentEnds,
    @Body() terms: Partial<AssignmentBody>,
  ): Promise<Reply> {
    const change = new ChangeAgentSkill(writer, { agentDefId, skillId, ...terms });
    return receiptReply(await this.commandBus.execute(change));
  }
}
