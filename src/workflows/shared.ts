/** What other slices use of the rules, shapes and schemas of workflows/. Pure. */
export { type CallableTool, callsWithoutTool, named, type ToolCall, toolsCalled } from './tool-calls.js';
export { longestDefinition, notLinked, validateWorkflow } from './workflow-validation.js';
export { type Outline, outlineOf } from './workflow-outline.js';
export { newWorkflowExample, validationExample, workflowExampleId } from './workflow.examples.js';
export { lifecycleStatuses, toolCall, type Workflow } from './workflow.fields.js';
