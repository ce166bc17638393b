import { sliceOf } from '../kernel/slice.js';
import { workflow } from './workflow.record.js';

/** Workflow definitions. Which skill has which belongs to the skills. */
export const workflowSlice = sliceOf('workflows', [workflow], {
  views: ['workflow_approval_read', 'workflow_read'],
});
