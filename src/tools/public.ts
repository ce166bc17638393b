/** What other slices use of tools/ beside its pure rules: use cases, lookups, ports. */
export {
  inReceipt,
  planActivation,
  UpdateTool,
  type WrittenToolReceipt,
} from './tool/tool-writes.planner.js';
export { toolsWithReviewedTexts } from './tool/reviewed-texts.lookup.js';
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
  versionsInReview,
  versionsOf,
  versionStatesOf,
} from './tool/tool-versions.lookup.js';
export { type Compared, differencesOf, versionDiff } from './version/version-diff.routes.js';
export { type CallingVersion, versionsCalling } from './version/calling-versions.lookup.js';
export type { CallFault } from './model/version.events.js';
export { lastWritten, specOf } from './version/version-specs.lookup.js';
export { approvalFacts } from './version/approval-facts.lookup.js';
export { waitingChanges } from './tool/waiting-changes.lookup.js';
export { waitingVersions } from './version/waiting-versions.lookup.js';
export {
  type KeptVersion,
  type MovedLink,
  type OfferingGateway,
  VersionLinks,
} from './version/version-links.port.js';
export { type Moves, VersionMoves } from './version/version-moves.lookup.js';
export { type CheckedOperation, Operations } from './version/operations.port.js';
export { planWithheld, type WithheldTool } from './tool/withheld-tools.planner.js';
export { PushSpec } from './version/spec-push.routes.js';
export { listTools } from './tool/tools.queries.js';
export { listVersions } from './version/version.routes.js';
export {
  DeprecateVersion,
  DraftVersion,
  RetireVersion,
  seenVersion,
  SubmitVersion,
  type VersionReceipt,
  versionReceiptOf,
  WithdrawVersion,
} from './version/version-writes.planner.js';
