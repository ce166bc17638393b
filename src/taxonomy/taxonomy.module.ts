import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { categoryHandlers, categoryRoutes } from './category.record.js';
import { tagHandlers, tagRoutes } from './tag.record.js';

@Module({
  imports: [CqrsModule],
  controllers: [...categoryRoutes, ...tagRoutes],
  providers: [...categoryHandlers, ...tagHandlers],
})
export class TaxonomyModule {}
