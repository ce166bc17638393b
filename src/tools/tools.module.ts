import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { apiSwitchHandlers, apiSwitchRoutes } from './publication/api-switch.routes.js';
import { teachToolsHandler } from './tool/tool-examples.planner.js';
import { publicationRoute } from './publication/publication.routes.js';
import { publishToolsHandler } from './publication/publication.batch.js';
import { toolHandlers } from './tool/tool-writes.planner.js';
import { overdueHandler, OverdueVersions } from './version/overdue-versions.service.js';
import { ReviewLog } from './version/review-log.service.js';
import { pushSpecHandler, specPushRoute } from './version/spec-push.routes.js';
import { acceptanceHandler } from './version/changes-acceptance.planner.js';
import {
  acceptanceRoute,
  approveVersionsHandler,
  versionApprovalsRoute,
} from './version/version-approvals.routes.js';
import { Desk, DeskController } from './version/desk.routes.js';
import { VersionDecisions } from './version/version-decisions.lookup.js';
import { versionHandlers } from './version/version-writes.planner.js';
import { versionDiffRoute } from './version/version-diff.routes.js';
import { VersionMoves } from './version/version-moves.lookup.js';
import { versionRoutes } from './version/version.routes.js';
import { toolRoutes } from './tool/tool.routes.js';

/** Gives the floors above what a decision about a version rests on: {@link VersionDecisions}. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [
    ...apiSwitchRoutes,
    ...toolRoutes,
    publicationRoute,
    ...versionRoutes,
    versionDiffRoute,
    specPushRoute,
    versionApprovalsRoute,
    acceptanceRoute,
    DeskController,
  ],
  providers: [
    ...apiSwitchHandlers,
    ...toolHandlers,
    publishToolsHandler,
    teachToolsHandler,
    acceptanceHandler,
    approveVersionsHandler,
    ...versionHandlers,
    pushSpecHandler,
    VersionMoves,
    VersionDecisions,
    Desk,
    ReviewLog,
    overdueHandler,
    OverdueVersions,
  ],
  exports: [VersionDecisions],
})
export class ToolsModule {}
