import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SearchModule } from '../search/search.module.js';
import { ToolsModule } from '../tools/tools.module.js';
import { acceptanceHandler } from './approval/changes-acceptance.planner.js';
import {
  acceptanceRoute,
  approveVersionsHandler,
  versionApprovalsRoute,
} from './approval/version-approvals.routes.js';
import { approvalHandlers, approvalRoutes } from './approval/version-approval.routes.js';
import { Desk, DeskController } from './decision/desk.routes.js';
import { VersionDecisions } from './decision/version-decisions.lookup.js';
import { VersionReportController, VersionReports } from './decision/version-report.routes.js';
import { evaluateVersionHandler, versionEvaluationRoutes } from './evaluation/version-evaluation.routes.js';
import { VersionEvaluations } from './evaluation/version-evaluations.service.js';
import { ReviewLog } from './review-log.service.js';

/** What reviewers of a tool’s versions do: evaluate them, read what they change and for whom, and decide. */
@Module({
  imports: [CqrsModule, SearchModule, ToolsModule],
  controllers: [
    ...versionEvaluationRoutes,
    VersionReportController,
    DeskController,
    ...approvalRoutes,
    versionApprovalsRoute,
    acceptanceRoute,
  ],
  providers: [
    VersionEvaluations,
    evaluateVersionHandler,
    VersionDecisions,
    VersionReports,
    Desk,
    ...approvalHandlers,
    approveVersionsHandler,
    acceptanceHandler,
    ReviewLog,
  ],
  exports: [VersionReports, Desk],
})
export class ReviewsModule {}
