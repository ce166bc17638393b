import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { CategoriesController } from './categories.controller.js';
import { GetCategoryHandler, ListCategoriesHandler } from './categories.queries.js';
import { TagsController } from './tags.controller.js';
import { GetTagHandler, ListTagsHandler } from './tags.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [CategoriesController, TagsController],
  providers: [ListCategoriesHandler, GetCategoryHandler, ListTagsHandler, GetTagHandler],
})
export class TaxonomyModule {}
