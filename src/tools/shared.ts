/** What other slices use of the rules, shapes and schemas of tools/. Pure. */
export { withheldTools } from './tool/tool-answers.schemas.js';
export { MAX_PROMPT_LENGTH, MAX_PROMPTS } from './tool/tool-facts.js';
export { defaultMargin, evalConfig, listedVersion } from './version/version-answers.schemas.js';
export { RecordVersionEvaluation } from './version/version.commands.js';
export { DeactivateTool, PublishTool, RefreshTool } from './tool/tool.commands.js';
export { publication, type ToolPatch } from './tool/tool.schemas.js';
