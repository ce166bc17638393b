import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { AssignSkill, ChangeAssignment, PutAssignment, UnassignSkill } from './agent-skill.commands.js';
import { agentSkillDecider } from './agent-skill.decider.js';
import { agentSkillCreated, agentSkillDeleted, agentSkillUpdated } from './agent-skill.events.js';
import { agentSkillProjection } from './agent-skills.projection.js';
import { ActivateAgent, DeactivateAgent, WriteAgentProfile } from './agent.commands.js';
import { agentDecider } from './agent.decider.js';
import {
  agentActivated,
  agentDeactivated,
  agentDefinitionCreated,
  agentDefinitionUpdated,
} from './agent.events.js';
import { agentProjection } from './agents.projection.js';

export const agentSlice: Slice = {
  name: 'agents',
  events: [
    agentDefinitionCreated,
    agentDefinitionUpdated,
    agentDeactivated,
    agentActivated,
    agentSkillCreated,
    agentSkillUpdated,
    agentSkillDeleted,
  ],
  aggregates: [
    aggregate(agentDecider, [WriteAgentProfile, DeactivateAgent, ActivateAgent]),
    aggregate(agentSkillDecider, [AssignSkill, PutAssignment, ChangeAssignment, UnassignSkill]),
  ],
  projections: [agentProjection, agentSkillProjection],
};
