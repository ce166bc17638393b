import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PreviewSkillHandler } from './preview.queries.js';
import { PreviewsController } from './previews.controller.js';

@Module({
  imports: [CqrsModule],
  controllers: [PreviewsController],
  providers: [PreviewSkillHandler],
})
export class PreviewsModule {}
