import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Reply, Write, WriteContext } from '../eventsourcing/command.js';
import { WriteCommand } from '../eventsourcing/write-command.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Operation } from '../platform/http/operation.js';
import { Context, VisibleTo } from '../platform/http/parameters.js';
import { receipt, recordAnswer } from '../platform/http/replies.js';
import { listAnswer, receiptAnswer } from '../platform/http/schemas.js';
import { GetCategory, ListCategories } from './categories.queries.js';
import { planCategory, planCategoryDeletion, planCategoryUpdate } from './category.planner.js';
import { categoryExample, categoryReceipt } from './taxonomy.examples.js';
import {
  categoryAnswer,
  categoryListQuery,
  categoryPatch,
  newCategory,
  type CategoryListQuery,
  type CategoryPatch,
  type NewCategory,
} from './taxonomy.schemas.js';

@Controller('v1/hosts/:hostId/categories')
export class CategoriesController {
  constructor(
    private readonly commandBus: CommandBus,
    private readonly queryBus: QueryBus,
  ) {}

  @Get()
  @Operation({
    id: 'listCategories',
    summary: 'List categories',
    description: 'Those of the host and the global ones, ordered by name.',
    scope: 'catalog:read',
    query: categoryListQuery,
    answer: listAnswer(categoryAnswer),
    example: { query: { entityType: 'skill' }, answer: { items: [categoryExample] } },
  })
  list(@VisibleTo() visibility: Visibility, @Query() query: CategoryListQuery) {
    return this.queryBus.execute(new ListCategories(visibility, query));
  }

  @Get(':categoryId')
  @Operation({
    id: 'getCategory',
    summary: 'Get a category',
    scope: 'catalog:read',
    answer: categoryAnswer,
    example: { answer: categoryExample },
  })
  async get(@VisibleTo() visibility: Visibility, @Param('categoryId') categoryId: string): Promise<Reply> {
    return recordAnswer(await this.queryBus.execute(new GetCategory(visibility, categoryId)));
  }

  @Post()
  @Operation({
    id: 'createCategory',
    summary: 'Make a category',
    description:
      'Refused with `category_name_taken` where another has the name below the same parent, and with `parent_category_not_found`.',
    scope: 'catalog:write',
    body: newCategory,
    status: 201,
    answer: receiptAnswer,
    example: { body: { entityType: 'skill', categoryName: 'customer-care' }, answer: categoryReceipt },
  })
  create(@Context() context: WriteContext, @Body() body: NewCategory): Promise<Reply> {
    const { hostId } = context;
    const location = ({ id }: { readonly id: string }) => `/v1/hosts/${hostId}/categories/${id}`;
    const reply = receipt(201, undefined, location);
    return this.write({ context, mode: 'locked', plan: (sql) => planCategory(sql, hostId, body), reply });
  }

  @Patch(':categoryId')
  @Operation({
    id: 'updateCategory',
    summary: 'Change a category',
    description:
      'What is left out stays; `parentCategoryId: null` takes the parent away. Refused with `category_name_taken`, `parent_category_not_found`, `category_cycle` and `global_read_only`.',
    scope: 'catalog:write',
    body: categoryPatch,
    answer: receiptAnswer,
    example: {
      body: { categoryDesc: 'All about accounts.' },
      answer: { ...categoryReceipt, version: 2, position: 4 },
    },
  })
  update(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('categoryId') categoryId: string,
    @Body() body: CategoryPatch,
  ): Promise<Reply> {
    const plan: Write['plan'] = (sql) => planCategoryUpdate(sql, visibility, categoryId, body);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  @Delete(':categoryId')
  @Operation({
    id: 'deleteCategory',
    summary: 'Delete a category',
    description:
      'What is in it no longer shows it. Refused with `category_has_children` and `global_read_only`.',
    scope: 'catalog:write',
    answer: receiptAnswer,
    example: { answer: { ...categoryReceipt, version: 3, position: 5 } },
  })
  delete(
    @Context() context: WriteContext,
    @VisibleTo() visibility: Visibility,
    @Param('categoryId') categoryId: string,
  ): Promise<Reply> {
    const plan: Write['plan'] = (sql) => planCategoryDeletion(sql, visibility, categoryId);
    return this.write({ context, mode: 'locked', plan, reply: receipt(200) });
  }

  private write(write: Write): Promise<Reply> {
    return this.commandBus.execute(new WriteCommand(write));
  }
}
