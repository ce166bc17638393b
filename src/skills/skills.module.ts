import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { skillDependencyHandlers, skillDependencyRoutes } from './links/skill-dependency.link.js';
import { skillDocumentRoutes } from './documents/skill-documents.routes.js';
import { draftSkillHandler } from './drafts/skill-draft.planner.js';
import { importSkillHandler } from './documents/skill-import.planner.js';
import { skillToolHandlers, skillToolRoutes } from './links/skill-tool.link.js';
import { skillWorkflowHandlers, skillWorkflowRoutes } from './links/skill-workflow.link.js';
import { WorkflowValidationController } from './links/workflow-validation.controller.js';
import { SkillVersionLinks } from './links/version-links.lookup.js';
import { VersionLinks } from '../tools/public.js';
import { saveSkillHandler } from './save/skill-save.planner.js';
import { saveSkillRoute } from './save/skill-save.routes.js';
import { skillHandlers } from './skill.record.js';
import { skillRoutes } from './skill.routes.js';

/** Gives the floor of tools the links that take their versions: {@link VersionLinks}. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [
    ...skillRoutes,
    ...skillDocumentRoutes,
    saveSkillRoute,
    ...skillToolRoutes,
    ...skillDependencyRoutes,
    ...skillWorkflowRoutes,
    WorkflowValidationController,
  ],
  providers: [
    ...skillHandlers,
    saveSkillHandler,
    importSkillHandler,
    draftSkillHandler,
    ...skillToolHandlers,
    ...skillDependencyHandlers,
    ...skillWorkflowHandlers,
    { provide: VersionLinks, useClass: SkillVersionLinks },
  ],
  exports: [VersionLinks],
})
export class SkillsModule {}
