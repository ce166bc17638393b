/** What other slices use of agents/ beside its pure rules: use cases, lookups, ports. */
export { PutAgentSkill } from './agent-skill.link.js';
export { PutAgent } from './agent.record.js';
