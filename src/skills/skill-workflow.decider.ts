import { isDeepStrictEqual } from 'node:util';
import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import { LinkWorkflow, RecheckWorkflow, type SkillWorkflowCommand } from './skill-workflow.commands.js';
import type { SkillWorkflowEvent, StartMode } from './skill-workflow.events.js';
import { refuseCallsWithoutTool } from './workflow-tools.js';

export type SkillWorkflowState =
  | { readonly status: 'absent' }
  | {
      readonly status: 'linked';
      readonly startMode: StartMode;
      readonly config: Readonly<Record<string, unknown>>;
    };

export const skillWorkflowDecider: Decider<SkillWorkflowState, SkillWorkflowCommand, SkillWorkflowEvent> = {
  aggregateType: 'SkillWorkflow',
  initial: { status: 'absent' },

  decide(command, state) {
    const { skillId, wfDefId, workflowRole } = command.payload;
    if (command instanceof LinkWorkflow) return linked(command, state);
    if (command instanceof RecheckWorkflow) {
      if (state.status === 'linked') refuseCallsWithoutTool(skillId, command.payload.withoutTool);
      return [];
    }
    if (state.status === 'absent') {
      throw new NotFound(`${workflowRole} workflow of skill ${skillId}`, wfDefId);
    }
    return [{ type: 'SkillWorkflowDeletedEvent', data: { skillId, wfDefId, workflowRole } }];
  },

  evolve(_state, event) {
    if (event.type === 'SkillWorkflowDeletedEvent') return { status: 'absent' };
    return { status: 'linked', startMode: event.data.startMode, config: event.data.config };
  },
};

function linked({ payload }: LinkWorkflow, state: SkillWorkflowState): readonly SkillWorkflowEvent[] {
  const { primaryHeldBy, withoutTool, ...data } = payload;
  refuseCallsWithoutTool(data.skillId, withoutTool);
  if (state.status === 'linked') {
    const same = state.startMode === data.startMode && isDeepStrictEqual(state.config, data.config);
    return same ? [] : [{ type: 'SkillWorkflowUpdatedEvent', data }];
  }
  if (data.workflowRole === 'primary' && primaryHeldBy !== null) {
    const detail = `The skill's primary workflow is ${primaryHeldBy}. Take that one away first, or give another role.`;
    throw new RuleBroken('primary_workflow_taken', detail);
  }
  return [{ type: 'SkillWorkflowCreatedEvent', data }];
}
