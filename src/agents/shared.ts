/** What other slices use of the rules, shapes and schemas of agents/. Pure. */
export { agentSkillFields } from './agent-skill.rules.js';
export type { AgentProfile } from './agent.fields.js';
