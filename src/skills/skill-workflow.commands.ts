import { v5 } from 'uuid';
import { Command } from '../eventsourcing/command.js';
import type { ToolCall } from '../workflows/tool-calls.js';
import type { SkillWorkflow, StartMode } from './skill-workflow.events.js';

/** A link is an aggregate of its own, its id derived from what it joins: one link each, also under races. */
export function skillWorkflowId({ skillId, wfDefId, workflowRole }: SkillWorkflow): string {
  return v5(`${wfDefId}/${workflowRole}`, skillId);
}

/** The calls of the workflow that name no tool of the skill, though they should. */
interface Calls {
  readonly withoutTool: readonly ToolCall[];
}

/** Links a workflow to a skill, or sets start mode and config of the link that is there. */
export class LinkWorkflow extends Command<
  SkillWorkflow &
    Calls & {
      readonly startMode: StartMode;
      readonly config: Readonly<Record<string, unknown>>;
      /** The other workflow that is the skill's primary one. */
      readonly primaryHeldBy: string | null;
    }
> {
  readonly aggregateType = 'SkillWorkflow';
}

export class UnlinkWorkflow extends Command<SkillWorkflow> {
  readonly aggregateType = 'SkillWorkflow';
}

/** The workflow has changed: what it calls must still be linked. */
export class RecheckWorkflow extends Command<SkillWorkflow & Calls> {
  readonly aggregateType = 'SkillWorkflow';
}

export type SkillWorkflowCommand = LinkWorkflow | UnlinkWorkflow | RecheckWorkflow;
