import { aggregate, type Slice } from '../kernel/slice.js';
import {
  AcceptToolChanges,
  ActivateTool,
  CreateTool,
  DeactivateTool,
  GuardTool,
  PublishTool,
  RefreshTool,
  TeachTool,
  UpdateTool,
} from './tool/tool.commands.js';
import { toolDecider } from './tool/tool.decider.js';
import {
  toolActivated,
  toolChangesAccepted,
  toolCreated,
  toolDeactivated,
  toolPublished,
  toolRefreshed,
  toolRevised,
  toolUpdated,
} from './tool/tool.events.js';
import { guardToolsThatCall } from './review/guard-callers.reaction.js';
import { refreshTools } from './review/tool.reaction.js';
import { versionCommands } from './version/version.commands.js';
import { versionEvents } from './version/version.events.js';
import { toolProjection, toolUniqueRules } from './tool/tools.projection.js';

/** Endpoints and scripts, as agents are offered them. */
export const toolSlice: Slice = {
  name: 'tools',
  events: [
    toolPublished,
    toolCreated,
    toolRefreshed,
    toolUpdated,
    toolRevised,
    toolActivated,
    toolDeactivated,
    toolChangesAccepted,
    ...versionEvents,
  ],
  aggregates: [
    aggregate(toolDecider, [
      PublishTool,
      CreateTool,
      RefreshTool,
      GuardTool,
      UpdateTool,
      TeachTool,
      ActivateTool,
      DeactivateTool,
      AcceptToolChanges,
      ...versionCommands,
    ]),
  ],
  projections: [toolProjection],
  reactions: [refreshTools, guardToolsThatCall],
  uniqueRules: toolUniqueRules,
  views: ['tool_kept_read', 'tool_read', 'tool_redacted_read', 'tool_version_read'],
};
