import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, Write } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { VisibleTo, WriterOf, type Writer } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import type { SkillToolState } from './skill-tool.decider.js';
import { planLink, planUnlink } from './skill-tool.planner.js';
import {
  linkBody,
  skillToolAnswer,
  skillToolListQuery,
  type LinkBody,
  type SkillToolListQuery,
} from './skill-tool.schemas.js';
import { GetSkillTool, ListSkillTools } from './skill-tools.queries.js';
import { linkReceipt, skillToolExample } from './skill.examples.js';

@Controller('v1/hosts/:hostId/skills/:skillId/tools')
export class SkillToolsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listSkillTools',
    summary: 'List the tools of a skill',
    description: 'Ordered by the name of the tool; those that the token does not cover are left out.',
    scope: 'catalog:read',
    query: skillToolListQuery,
    answer: listAnswer(skillToolAnswer),
    example: { answer: { items: [skillToolExample] } },
  })
  list(
    @VisibleTo() visibility: Visibility,
    @Param('skillId') skillId: string,
    @Query() query: SkillToolListQuery,
  ) {
    return this.queryBus.execute(new ListSkillTools(visibility, skillId, query));
  }

  @Get(':toolId')
  @Operation({
    id: 'getSkillTool',
    summary: 'Get a tool of a skill',
    description: '404 where there is no link, or where it was taken away.',
    scope: 'catalog:read',
    answer: skillToolAnswer,
    example: { answer: skillToolExample },
  })
  get(
    @VisibleTo() visibility: Visibility,
    @Param('skillId') skillId: string,
    @Param('toolId') toolId: string,
  ) {
    return this.queryBus.execute(new GetSkillTool(visibility, skillId, toolId));
  }

  @Put(':toolId')
  @Operation({
    id: 'putSkillTool',
    summary: 'Link a tool to a skill',
    description:
      'Writes the whole link: 201 where it is new. What is left out takes its default. Setting an approval workflow, ' +
      'and raising or clearing `maxSensitivityTier`, also need catalog:admin.',
    scope: 'catalog:write',
    creates: true,
    body: linkBody,
    answer: receiptAnswer,
    example: { body: { accessLevel: 'read', config: skillToolExample.config }, answer: linkReceipt },
  })
  put(
    @WriterOf() { context, caller, visibility }: Writer,
    @Param() { skillId, toolId }: { readonly skillId: string; readonly toolId: string },
    @Body() body: LinkBody,
  ): Promise<Reply> {
    const request = { caller, visibility, skillId, toolId };
    return this.write({
      context,
      mode: 'locked',
      plan: (sql) => planLink(sql, request, body),
      reply: (outcomes, position) => {
        const before = outcomes[0]?.before as SkillToolState;
        return receipt(before.status === 'absent' ? 201 : 200)(outcomes, position);
      },
    });
  }

  @Delete(':toolId')
  @Operation({
    id: 'deleteSkillTool',
    summary: 'Take a tool from a skill',
    description:
      'Also the last active one: assignments of the skill stay, and no agent is given it. Refused with ' +
      '`workflow_tool_not_linked` where a workflow of the skill calls it.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: { ...linkReceipt, version: 2, position: 17 } },
  })
  delete(
    @WriterOf() { context, caller, visibility }: Writer,
    @Param() { skillId, toolId }: { readonly skillId: string; readonly toolId: string },
  ): Promise<Reply> {
    const request = { caller, visibility, skillId, toolId };
    return this.write({
      context,
      mode: 'locked',
      plan: (sql) => planUnlink(sql, request),
      reply: receipt(200),
    });
  }

  private write(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}
