import type { Decider } from '../eventsourcing/decider.js';
import { NotFound, RuleBroken } from '../eventsourcing/errors.js';
import {
  AssignSkill,
  ChangeAssignment,
  UnassignSkill,
  type AgentSkillCommand,
  type AssignmentTerms,
} from './agent-skill.commands.js';
import type { AgentSkillEvent } from './agent-skill.events.js';
import { alreadyAssigned, problemsOf, sameTerms, type AssignmentProblem } from './assignment.policy.js';

export type AgentSkillState =
  { readonly status: 'absent' } | { readonly status: 'assigned'; readonly terms: AssignmentTerms };

export const agentSkillDecider: Decider<AgentSkillState, AgentSkillCommand, AgentSkillEvent> = {
  aggregateType: 'AgentSkill',
  initial: { status: 'absent' },

  decide(command, state) {
    const { agentDefId, skillId } = command.payload;
    if (state.status === 'absent') {
      if (command instanceof UnassignSkill || command instanceof ChangeAssignment) throw notAssigned(command);
      refuse(problemsOf(skillId, command.payload.skill));
      return [{ type: 'AgentSkillCreatedEvent', data: { agentDefId, skillId, ...command.payload.terms } }];
    }
    if (command instanceof UnassignSkill)
      return [{ type: 'AgentSkillDeletedEvent', data: { agentDefId, skillId } }];
    const terms = { ...state.terms, ...command.payload.terms };
    if (sameTerms(terms, state.terms)) return [];
    if (command instanceof AssignSkill) refuse([alreadyAssigned(skillId)]);
    refuse(problemsOf(skillId, command.payload.skill));
    return [{ type: 'AgentSkillUpdatedEvent', data: { agentDefId, skillId, ...terms } }];
  },

  evolve(_state, event) {
    if (event.type === 'AgentSkillDeletedEvent') return { status: 'absent' };
    const { config, priority, sequenceId } = event.data;
    return { status: 'assigned', terms: { config, priority, sequenceId } };
  },
};

function refuse([problem]: readonly AssignmentProblem[]): void {
  if (problem !== undefined) throw new RuleBroken(problem.code, problem.message);
}

function notAssigned({ payload: { agentDefId, skillId } }: AgentSkillCommand): NotFound {
  return new NotFound(`assignment to agent ${agentDefId} of skill`, skillId);
}
