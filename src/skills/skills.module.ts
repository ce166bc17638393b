import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { skillDependencyHandlers, skillDependencyRoutes } from './skill-dependency.link.js';
import { SkillDocumentsController } from './skill-documents.controller.js';
import { ExportSkillHandler } from './skill-exports.queries.js';
import { SkillDraftsController } from './skill-drafts.controller.js';
import { skillToolHandlers, skillToolRoutes } from './skill-tool.link.js';
import { SkillTaxonomyController } from './skill-taxonomy.controller.js';
import { GetSkillTaxonomyHandler } from './skill-taxonomy.queries.js';
import { skillWorkflowHandlers, skillWorkflowRoutes } from './skill-workflow.link.js';
import { WorkflowValidationController } from './workflow-validation.controller.js';
import { ValidateWorkflowHandler } from './workflow-validation.queries.js';
import { skillHandlers } from './skill.record.js';
import { skillRoutes } from './skill.routes.js';

@Module({
  imports: [CqrsModule],
  controllers: [
    ...skillRoutes,
    SkillDraftsController,
    SkillDocumentsController,
    ...skillToolRoutes,
    ...skillDependencyRoutes,
    SkillTaxonomyController,
    ...skillWorkflowRoutes,
    WorkflowValidationController,
  ],
  providers: [
    ...skillHandlers,
    ...skillToolHandlers,
    ...skillDependencyHandlers,
    ExportSkillHandler,
    GetSkillTaxonomyHandler,
    ...skillWorkflowHandlers,
    ValidateWorkflowHandler,
  ],
})
export class SkillsModule {}
