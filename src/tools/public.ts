/** What other slices use of tools/ beside its pure rules: use cases, lookups, ports. */
export { planActivation, UpdateTool } from './tool/tool-writes.planner.js';
export {
  type NamedTool,
  type PublishedTool,
  publishedTools,
  type ToolFacts,
  toolFactsOf,
  toolsOfEndpoints,
  toolsSeen,
  unpublishedEndpoints,
} from './tool/tool.lookup.js';
export {
  explainedConflicts,
  type OnConflict,
  planPublication,
  planReturns,
  type PublicationConflict,
  type Unpublished,
} from './publication/publication.planner.js';
export {
  type KnownVersion,
  replacedBy,
  todayBy,
  versionOf,
  versionsOf,
} from './version/tool-versions.lookup.js';
export { missingFor, shortOfGrounds, specOf, stoppingFindings } from './version/version-approval.planner.js';
export { type KeptVersion, type MovedLink, VersionLinks } from './version/version-links.port.js';
export { type CheckedOperation, Operations } from './version/operations.port.js';
export { planWithheld, type WithheldTool } from './review/withheld-tools.planner.js';
