/** What other slices use of the rules, shapes and schemas of workflows/. Pure. */
export { type CallableTool, callsWithoutTool, named, type ToolCall, toolsCalled } from './tool-calls.js';
export {
  longestDefinition,
  notLinked,
  type ValidatedWorkflow,
  validateWorkflow,
} from './workflow-validation.js';
export { newWorkflowExample, validationExample, workflowExampleId } from './workflow.examples.js';
export { lifecycleStatuses, toolCall, type Workflow } from './workflow.fields.js';
