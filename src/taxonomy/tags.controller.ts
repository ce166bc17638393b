import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { GetTag, ListTags } from './tags.queries.js';
import { planTag, planTagDeletion, planTagUpdate } from './tag.planner.js';
import { tagExample, tagReceipt } from './taxonomy.examples.js';
import {
  tagAnswer,
  tagListQuery,
  tagPatch,
  newTag,
  type TagListQuery,
  type TagPatch,
  type NewTag,
} from './taxonomy.schemas.js';

@Controller('v1/hosts/:hostId/tags')
export class TagsController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listTags',
    summary: 'List tags',
    description: 'Those of the host and the global ones, ordered by name.',
    scope: 'catalog:read',
    query: tagListQuery,
    answer: listAnswer(tagAnswer),
    example: { query: { entityType: 'skill' }, answer: { items: [tagExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: TagListQuery) {
    return this.queryBus.execute(new ListTags(visibility, query));
  }

  @Get(':tagId')
  @Operation({
    id: 'getTag',
    summary: 'Get a tag',
    scope: 'catalog:read',
    answer: tagAnswer,
    example: { answer: tagExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('tagId') tagId: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetTag(visibility, tagId)));
  }

  @Post()
  @Operation({
    id: 'createTag',
    summary: 'Make a tag',
    description: 'Refused with `tag_name_taken` where another for the same kind of thing has the name.',
    scope: 'catalog:write',
    body: newTag,
    status: 201,
    answer: receiptAnswer,
    example: { body: { entityType: 'skill', tagName: 'accounts' }, answer: tagReceipt },
  })
  create(@Context() context: WriteContext, @Body() body: NewTag): Promise<Reply> {
    const { hostId } = context;
    const location = ({ id }: { readonly id: string }) => `/v1/hosts/${hostId}/tags/${id}`;
    const reply = receipt(201, undefined, location);
    return this.write({ context, mode: 'locked', plan: (sql) => planTag(sql, hostId, body), reply });
  }

  @Patch(':tagId')
  @Operation({
    id: 'updateTag',
    summary: 'Change a tag',
    description: 'What is left out stays. Refused with `tag_name_taken` and `global_read_only`.',
    scope: 'catalog:write',
    body: tagPatch,
    answer: receiptAnswer,
    example: { body: { tagDesc: 'All about accounts.' }, answer: { ...tagReceipt, version: 2, position: 4 } },
  })
  update(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('tagId') tagId: string,
    @Body() body: TagPatch,
  ): Promise<Reply> {
    const plan: Write['plan'] = (sql) => planTagUpdate(sql, visibility, tagId, body);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  @Delete(':tagId')
  @Operation({
    id: 'deleteTag',
    summary: 'Delete a tag',
    description: 'What has it no longer shows it. Refused with `global_read_only`.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: { ...tagReceipt, version: 3, position: 5 } },
  })
  delete(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('tagId') tagId: string,
  ): Promise<Reply> {
    const plan: Write['plan'] = (sql) => planTagDeletion(sql, visibility, tagId);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  private write(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}
