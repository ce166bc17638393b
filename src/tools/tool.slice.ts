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
} from './model/tool.commands.js';
import { toolDecider } from './model/tool.decider.js';
import {
  toolActivated,
  toolChangesAccepted,
  toolCreated,
  toolDeactivated,
  toolPublished,
  toolRefreshed,
  toolRevised,
  toolUpdated,
} from './model/tool.events.js';
import { guardToolsThatCall } from './tool/guard-callers.reaction.js';
import { refreshTools } from './publication/tool.reaction.js';
import { versionCommands } from './model/version.commands.js';
import { versionEvents } from './model/version.events.js';
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
  views: ['tool_kept_read', 'tool_read', 'tool_redacted_read', 'tool_version_read', 'tool_about_read'],
};
