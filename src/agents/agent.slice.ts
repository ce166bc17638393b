import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { agentSkill } from './agent-skill.link.js';
import { agent } from './agent.record.js';

export const agentSlice: Slice = {
  name: 'agents',
  events: [...agent.events, ...agentSkill.events],
  aggregates: [aggregate(agent.decider, []), aggregate(agentSkill.decider, [])],
  projections: [agent.projection, agentSkill.projection],
  views: ['agent_read', 'agent_skill_read'],
};
