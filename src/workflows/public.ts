/** What other slices use of workflows/ beside its pure rules: use cases, lookups, ports. */
export { toolCallsAfter, workflowFactsOf } from './workflow.lookup.js';
export { CreateWorkflow, PublishWorkflow, workflow } from './workflow.record.js';
