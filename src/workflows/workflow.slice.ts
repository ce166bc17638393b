import { aggregate, type Slice } from '../eventsourcing/slice.js';
import {
  ActivateWorkflow,
  CreateWorkflow,
  DeactivateWorkflow,
  DeprecateWorkflow,
  PublishWorkflow,
  UpdateWorkflow,
} from './workflow.commands.js';
import { workflowDecider } from './workflow.decider.js';
import {
  workflowDefinitionActivated,
  workflowDefinitionCreated,
  workflowDefinitionDeactivated,
  workflowDefinitionDeprecated,
  workflowDefinitionPublished,
  workflowDefinitionUpdated,
} from './workflow.events.js';
import { workflowProjection, workflowUniqueRules } from './workflows.projection.js';

/** Workflow definitions. Which skill has which belongs to the skills. */
export const workflowSlice: Slice = {
  name: 'workflows',
  events: [
    workflowDefinitionCreated,
    workflowDefinitionUpdated,
    workflowDefinitionPublished,
    workflowDefinitionDeprecated,
    workflowDefinitionActivated,
    workflowDefinitionDeactivated,
  ],
  aggregates: [
    aggregate(workflowDecider, [
      CreateWorkflow,
      UpdateWorkflow,
      PublishWorkflow,
      DeprecateWorkflow,
      ActivateWorkflow,
      DeactivateWorkflow,
    ]),
  ],
  projections: [workflowProjection],
  uniqueRules: workflowUniqueRules,
};
