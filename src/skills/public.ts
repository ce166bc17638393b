/** What other slices use of skills/ beside its pure rules: use cases, lookups, ports. */
export { PutSkillTool } from './links/skill-tool.link.js';
export { PutSkillWorkflow } from './links/skill-workflow.link.js';
export { type SkillFacts, skillFactsOf } from './skill.lookup.js';
export { CreateSkill } from './skill.record.js';
