import { Command } from '../eventsourcing/command.js';
import type { WorkflowWords } from './workflow.events.js';

/** The other definition that has the namespace, name and version which this one would have. */
interface VersionHolder {
  readonly versionHeldBy: string | null;
}

/** Makes a draft. The aggregate id is a fresh UUID v7. */
export class CreateWorkflow extends Command<VersionHolder & { readonly words: WorkflowWords }> {
  readonly aggregateType = 'WorkflowDefinition';
  override readonly createsStream = true;
}

/** A word left out is unchanged. */
export class UpdateWorkflow extends Command<VersionHolder & { readonly words: Partial<WorkflowWords> }> {
  readonly aggregateType = 'WorkflowDefinition';
}

export class PublishWorkflow extends Command<Record<never, never>> {
  readonly aggregateType = 'WorkflowDefinition';
}

export class DeprecateWorkflow extends Command<Record<never, never>> {
  readonly aggregateType = 'WorkflowDefinition';
}

export class ActivateWorkflow extends Command<Record<never, never>> {
  readonly aggregateType = 'WorkflowDefinition';
}

/** Allowed whatever leans on it: skills keep it, flagged, and it approves nothing until it is activated again. */
export class DeactivateWorkflow extends Command<Record<never, never>> {
  readonly aggregateType = 'WorkflowDefinition';
}

export type WorkflowCommand =
  | CreateWorkflow
  | UpdateWorkflow
  | PublishWorkflow
  | DeprecateWorkflow
  | ActivateWorkflow
  | DeactivateWorkflow;
