import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { WorkflowTaxonomyController } from './workflow-taxonomy.controller.js';
import { GetWorkflowTaxonomyHandler } from './workflow-taxonomy.queries.js';
import { WorkflowsController } from './workflows.controller.js';
import { GetWorkflowHandler, ListWorkflowsHandler } from './workflows.queries.js';

@Module({
  imports: [CqrsModule],
  controllers: [WorkflowsController, WorkflowTaxonomyController],
  providers: [ListWorkflowsHandler, GetWorkflowHandler, GetWorkflowTaxonomyHandler],
})
export class WorkflowsModule {}
