import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { apiSwitchHandlers, apiSwitchRoutes } from './publication/api-switch.routes.js';
import { teachToolsHandler } from './tool/tool-examples.planner.js';
import { publicationRoute } from './publication/publication.routes.js';
import { publishToolsHandler } from './publication/publication.batch.js';
import { toolHandlers } from './tool/tool-writes.planner.js';
import { overdueHandler, OverdueVersions } from './version/overdue-versions.service.js';
import { pushSpecHandler, specPushRoute } from './version/spec-push.routes.js';
import { versionHandlers } from './version/version-writes.planner.js';
import { versionDiffRoute } from './version/version-diff.routes.js';
import { OfferingGateways } from './version/offering-gateways.routes.js';
import { VersionMoves } from './version/version-moves.lookup.js';
import { versionRoutes } from './version/version.routes.js';
import { toolRoutes } from './tool/tool.routes.js';

@Module({
  imports: [CqrsModule],
  controllers: [
    ...apiSwitchRoutes,
    ...toolRoutes,
    publicationRoute,
    ...versionRoutes,
    versionDiffRoute,
    specPushRoute,
    OfferingGateways,
  ],
  providers: [
    ...apiSwitchHandlers,
    ...toolHandlers,
    publishToolsHandler,
    teachToolsHandler,
    ...versionHandlers,
    pushSpecHandler,
    VersionMoves,
    overdueHandler,
    OverdueVersions,
  ],
  exports: [VersionMoves],
})
export class ToolsModule {}
