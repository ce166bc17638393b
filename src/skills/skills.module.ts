import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { skillDependencyHandlers, skillDependencyRoutes } from './skill-dependency.link.js';
import { skillDocumentRoutes } from './skill-documents.routes.js';
import { draftSkillHandler } from './skill-draft.planner.js';
import { importSkillHandler } from './skill-import.planner.js';
import { skillToolHandlers, skillToolRoutes } from './skill-tool.link.js';
import { skillWorkflowHandlers, skillWorkflowRoutes } from './skill-workflow.link.js';
import { WorkflowValidationController } from './workflow-validation.controller.js';
import { skillHandlers } from './skill.record.js';
import { skillRoutes } from './skill.routes.js';

@Module({
  imports: [CqrsModule],
  controllers: [
    ...skillRoutes,
    ...skillDocumentRoutes,
    ...skillToolRoutes,
    ...skillDependencyRoutes,
    ...skillWorkflowRoutes,
    WorkflowValidationController,
  ],
  providers: [
    ...skillHandlers,
    importSkillHandler,
    draftSkillHandler,
    ...skillToolHandlers,
    ...skillDependencyHandlers,
    ...skillWorkflowHandlers,
  ],
})
export class SkillsModule {}
