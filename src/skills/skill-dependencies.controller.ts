import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { GetSkillDependency, ListSkillDependencies } from './skill-dependencies.queries.js';
import type { SkillDependencyState } from './skill-dependency.decider.js';
import { planDependency, planIndependence } from './skill-dependency.planner.js';
import {
  dependencyBody,
  skillDependencyAnswer,
  skillDependencyListQuery,
  type DependencyBody,
  type SkillDependencyListQuery,
} from './skill-dependency.schemas.js';
import { dependencyReceipt, skillDependencyExample } from './skill.examples.js';

interface Pair {
  readonly skillId: string;
  readonly dependsOnSkillId: string;
}

@Controller('v1/hosts/:hostId/skills/:skillId/dependencies')
export class SkillDependenciesController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listSkillDependencies',
    summary: 'List the skills that a skill depends on',
    description: 'Ordered by their name.',
    scope: 'catalog:read',
    query: skillDependencyListQuery,
    answer: listAnswer(skillDependencyAnswer),
    example: { answer: { items: [skillDependencyExample] } },
  })
  list(
    @VisibleTo() visibility: Visibility,
    @Param('skillId') skillId: string,
    @Query() query: SkillDependencyListQuery,
  ) {
    return this.queryBus.execute(new ListSkillDependencies(visibility, skillId, query));
  }

  @Get(':dependsOnSkillId')
  @Operation({
    id: 'getSkillDependency',
    summary: 'Get a dependency of a skill',
    description: '404 where there is none, or where it was taken away.',
    scope: 'catalog:read',
    answer: skillDependencyAnswer,
    example: { answer: skillDependencyExample },
  })
  get(@VisibleTo() visibility: Visibility, @Param() { skillId, dependsOnSkillId }: Pair) {
    return this.queryBus.execute(new GetSkillDependency(visibility, skillId, dependsOnSkillId));
  }

  @Put(':dependsOnSkillId')
  @Operation({
    id: 'putSkillDependency',
    summary: 'Make a skill depend on another',
    description:
      '201 where it is new. The other skill may be inactive: then what needs it is withheld. Refused with ' +
      '`skill_cycle` where the other one depends on this one, by itself or through others.',
    scope: 'catalog:write',
    creates: true,
    body: dependencyBody,
    answer: receiptAnswer,
    example: { body: { required: true }, answer: dependencyReceipt },
  })
  put(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param() { skillId, dependsOnSkillId }: Pair,
    @Body() { required }: DependencyBody,
  ): Promise<Reply> {
    const request = { visibility, skillId, dependsOnSkillId };
    return this.write({
      context,
      mode: 'locked',
      plan: (sql) => planDependency(sql, request, required),
      reply: (outcomes, position) => {
        const before = outcomes[0]?.before as SkillDependencyState;
        return receipt(before.status === 'absent' ? 201 : 200)(outcomes, position);
      },
    });
  }

  @Delete(':dependsOnSkillId')
  @Operation({
    id: 'deleteSkillDependency',
    summary: 'Make a skill independent of another',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: { ...dependencyReceipt, version: 2, position: 19 } },
  })
  delete(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param() { skillId, dependsOnSkillId }: Pair,
  ): Promise<Reply> {
    const request = { visibility, skillId, dependsOnSkillId };
    const plan: Write['plan'] = (sql) => planIndependence(sql, request);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  private write(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}
