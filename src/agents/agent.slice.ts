import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { agentSkill } from './agent-skill.link.js';
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
    ...agentSkill.events,
  ],
  aggregates: [
    aggregate(agentDecider, [WriteAgentProfile, DeactivateAgent, ActivateAgent]),
    aggregate(agentSkill.decider, []),
  ],
  projections: [agentProjection, agentSkill.projection],
};
