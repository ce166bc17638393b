import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SkillToolsController } from './skill-tools.controller.js';
import { GetSkillToolHandler, ListSkillToolsHandler } from './skill-tools.queries.js';
import { SkillsController } from './skills.controller.js';
import { GetSkillHandler, ListSkillsHandler } from './skills.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [SkillsController, SkillToolsController],
  providers: [ListSkillsHandler, GetSkillHandler, ListSkillToolsHandler, GetSkillToolHandler],
})
export class SkillsModule {}
