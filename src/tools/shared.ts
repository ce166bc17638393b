/** What other slices use of the rules, shapes and schemas of tools/. Pure. */
export { listedTool, withheldTools } from './tool/tool-answers.schemas.js';
export { givenVersionOf } from './model/tool.state.js';
export { paramIds } from './model/tool-params.js';
export { MAX_PROMPT_LENGTH, MAX_PROMPTS } from './model/tool-facts.js';
export {
  approvalBody,
  defaultMargin,
  deprecationBody,
  dryRun,
  evalConfig,
  listedVersion,
  newVersion,
  rejectionBody,
  withdrawalBody,
  retirementBody,
  versionReceipt,
  versionsQuery,
} from './version/version-answers.schemas.js';
export { movesAnswer, movingReceipt } from './version/version-moves.schemas.js';
export { versionDiffAnswer } from './version/version-diff.schemas.js';
export { versionDecision, versionDecisionExample } from './version/version-decision.schemas.js';
export { JudgeToolCall, RecordVersionEvaluation } from './model/version.commands.js';
export { reviewedTypes, wantedReviews } from './version/wanted-reviews.js';
export { DeactivateTool, PublishTool, RefreshTool } from './model/tool.commands.js';
export { publication, toolListQuery, type ToolListQuery, type ToolPatch } from './tool/tool.schemas.js';
export { pushReceipt, specPush } from './version/spec-push.schemas.js';
