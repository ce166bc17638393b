import { eventType, type EventOf } from '../eventsourcing/event-type.js';

/** What the workflow is to the skill. */
export const workflowRoles = ['primary', 'validation', 'remediation', 'test'] as const;
export type WorkflowRole = (typeof workflowRoles)[number];

/** Who may start it. */
export const startModes = ['manual', 'agent', 'scheduled', 'portal'] as const;
export type StartMode = (typeof startModes)[number];

/** One workflow in one role for one skill. */
export interface SkillWorkflow {
  readonly skillId: string;
  readonly wfDefId: string;
  readonly workflowRole: WorkflowRole;
}

const ids = {
  skillId: { type: 'string' },
  wfDefId: { type: 'string' },
  workflowRole: { enum: workflowRoles },
} as const;
const link = {
  type: 'object',
  additionalProperties: false,
  required: ['skillId', 'wfDefId', 'workflowRole', 'startMode', 'config'],
  properties: { ...ids, startMode: { enum: startModes }, config: { type: 'object' } },
} as const;

/** Also when a link that was deleted is made again. */
export const skillWorkflowCreated = eventType({
  type: 'SkillWorkflowCreatedEvent',
  aggregateType: 'SkillWorkflow',
  version: 1,
  schema: link,
});

/** Carries the link as it is after the change. */
export const skillWorkflowUpdated = eventType({
  type: 'SkillWorkflowUpdatedEvent',
  aggregateType: 'SkillWorkflow',
  version: 1,
  schema: link,
});

export const skillWorkflowDeleted = eventType({
  type: 'SkillWorkflowDeletedEvent',
  aggregateType: 'SkillWorkflow',
  version: 1,
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['skillId', 'wfDefId', 'workflowRole'],
    properties: ids,
  },
});

export type SkillWorkflowEvent =
  | EventOf<typeof skillWorkflowCreated>
  | EventOf<typeof skillWorkflowUpdated>
  | EventOf<typeof skillWorkflowDeleted>;
