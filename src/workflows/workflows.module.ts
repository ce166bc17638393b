import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { workflowHandlers } from './workflow.record.js';
import { workflowRoutes } from './workflow.routes.js';

@Module({ imports: [CqrsModule], controllers: workflowRoutes, providers: workflowHandlers })
export class WorkflowsModule {}
