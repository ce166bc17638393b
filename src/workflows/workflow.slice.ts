import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { workflow } from './workflow.record.js';

/** Workflow definitions. Which skill has which belongs to the skills. */
export const workflowSlice: Slice = {
  name: 'workflows',
  events: workflow.events,
  aggregates: [aggregate(workflow.decider, [])],
  projections: [workflow.projection],
  uniqueRules: workflow.uniqueRules,
  views: ['workflow_approval_read', 'workflow_read'],
};
