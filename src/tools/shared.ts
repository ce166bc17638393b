/** What other slices use of the rules, shapes and schemas of tools/. Pure. */
export { listedTool, toolReceipt, withheldTools } from './tool/tool-answers.schemas.js';
export { givenVersionOf, type KnownTool } from './model/tool.state.js';
export { paramIds } from './model/tool-params.js';
export { MAX_PROMPT_LENGTH, MAX_PROMPTS } from './model/tool-facts.js';
export {
  deprecationBody,
  dryRun,
  evalConfig,
  listedVersion,
  newVersion,
  withdrawalBody,
  retirementBody,
  versionReceipt,
  versionReceiptExample,
  versionsQuery,
} from './version/version-answers.schemas.js';
export { movesAnswer, movingReceipt } from './version/version-moves.schemas.js';
export { differences, differencesExample, versionDiffAnswer } from './version/version-diff.schemas.js';
export {
  type Approval,
  ApproveToolVersion,
  JudgeToolCall,
  RecordVersionEvaluation,
  RejectToolVersion,
} from './model/version.commands.js';
export type { SeenByReviewer, VersionEvaluation } from './model/version.events.js';
export { reviewedTypes, wantedReviews } from './version/wanted-reviews.js';
export { AcceptToolChanges, DeactivateTool, PublishTool, RefreshTool } from './model/tool.commands.js';
export {
  publication,
  toolListQuery,
  type ToolListQuery,
  type ToolPatch,
  toolReceiptExample,
} from './tool/tool.schemas.js';
export { pushReceipt, specPush } from './version/spec-push.schemas.js';
