import { sliceOf } from '../kernel/slice.js';
import { agentSkill } from './agent-skill.link.js';
import { agent } from './agent.record.js';

export const agentSlice = sliceOf('agents', [agent, agentSkill], {
  views: ['agent_read', 'agent_skill_read'],
});
