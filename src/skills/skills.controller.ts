import { Body, Controller, Get, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ImpactLookup } from '../endpoints/impact.lookup.js';
import { deactivationAnswer, impactAnswer, impactExample, type Impact } from '../endpoints/impact.schemas.js';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { DATABASE, type Database } from '../eventsourcing/sql.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { listedSkillExample, newSkillExample, skillExample, skillReceipt } from './skill.examples.js';
import { creationOf, planActivation, planDeactivation, updateOf } from './skill.planner.js';
import {
  listedSkill,
  newSkill,
  skillAnswer,
  skillListQuery,
  skillPatch,
  type NewSkill,
  type SkillListQuery,
  type SkillPatch,
} from './skill.schemas.js';
import { GetSkill, ListSkills } from './skills.queries.js';

@Controller('v1/hosts/:hostId/skills')
export class SkillsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
    private readonly impacts: ImpactLookup,
    @Inject(DATABASE) private readonly database: Database,
  ) {}

  @Get()
  @Operation({
    id: 'listSkills',
    summary: 'List skills',
    description: 'Without their content, ordered by name.',
    scope: 'catalog:read',
    query: skillListQuery,
    answer: listAnswer(listedSkill),
    example: { query: { q: 'account' }, answer: { items: [listedSkillExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: SkillListQuery) {
    return this.queryBus.execute(new ListSkills(visibility, query));
  }

  @Get(':skillId')
  @Operation({
    id: 'getSkill',
    summary: 'Get a skill',
    scope: 'catalog:read',
    answer: skillAnswer,
    example: { answer: skillExample },
  })
  get(@VisibleTo() visibility: Visibility, @Param('skillId') skillId: string) {
    return this.queryBus.execute(new GetSkill(visibility, skillId));
  }

  @Get(':skillId/impact')
  @Operation({
    id: 'getSkillImpact',
    summary: 'What would change if a skill went inactive',
    description: 'Cut to what the token covers; empty where it is inactive already.',
    scope: 'catalog:read',
    answer: impactAnswer,
    example: { answer: impactExample },
  })
  async impact(@VisibleTo() visibility: Visibility, @Param('skillId') skillId: string): Promise<Impact> {
    await this.queryBus.execute(new GetSkill(visibility, skillId));
    return this.impacts.of(this.database.of(visibility.hostId), visibility, { kind: 'skill', id: skillId });
  }

  @Post()
  @Operation({
    id: 'createSkill',
    summary: 'Write a skill',
    description:
      'Refused with `skill_name_taken` where another active skill has the name, and with `skill_contains_secret` ' +
      'where its words hold what looks like a secret. `categoryIds` and `tagIds` are selected in the same ' +
      'transaction; what is not there is `category_not_found`, `tag_not_found`.',
    scope: 'catalog:write',
    body: newSkill,
    status: 201,
    answer: receiptAnswer,
    example: { body: newSkillExample, answer: skillReceipt },
  })
  async create(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Body() body: NewSkill,
  ): Promise<Reply> {
    const { hostId } = context;
    return this.write({
      context,
      mode: 'locked',
      plan: await creationOf(visibility, body),
      reply: receipt(201, undefined, ({ id }) => `/v1/hosts/${hostId}/skills/${id}`),
    });
  }

  @Patch(':skillId')
  @Operation({
    id: 'updateSkill',
    summary: 'Change a skill',
    description:
      'What is left out stays; `parentSkillId: null` takes the parent away. Refused with `skill_name_taken`, ' +
      '`parent_skill_not_found`, `skill_cycle`, `skill_contains_secret`, `category_not_found` and `tag_not_found`.',
    scope: 'catalog:write',
    body: skillPatch,
    answer: receiptAnswer,
    example: { body: { version: '1.1.0' }, answer: { ...skillReceipt, version: 2, position: 14 } },
  })
  async update(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('skillId') skillId: string,
    @Body() body: SkillPatch,
  ): Promise<Reply> {
    const plan = await updateOf(visibility, skillId, body);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  @Post(':skillId/activate')
  @Operation({
    id: 'activateSkill',
    summary: 'Activate a skill',
    description: 'Refused with `skill_name_taken` where another active skill has taken its name.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: { ...skillReceipt, version: 3, position: 16 } },
  })
  activate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('skillId') skillId: string,
  ): Promise<Reply> {
    const plan: Write['plan'] = (sql) => planActivation(sql, visibility, skillId);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  @Post(':skillId/deactivate')
  @Operation({
    id: 'deactivateSkill',
    summary: 'Deactivate a skill',
    description:
      'Its links and assignments stay; no agent is given it until it is activated again. The answer says whom it hits.',
    scope: 'catalog:write',
    answer: deactivationAnswer,
    example: { answer: { ...skillReceipt, version: 2, position: 15, impact: impactExample } },
  })
  async deactivate(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('skillId') skillId: string,
  ): Promise<Reply> {
    const impact = await this.impacts.of(this.database.of(visibility.hostId), visibility, {
      kind: 'skill',
      id: skillId,
    });
    const plan: Write['plan'] = () => planDeactivation(visibility, skillId);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200, () => ({ impact })) });
  }

  private write(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}
