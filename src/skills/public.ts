/** What other slices use of skills/ beside its pure rules: use cases, lookups, ports. */
export { exportedSkill } from './documents/skill-export.lookup.js';
export { copyStamps, skillCopy } from './documents/skill-copy.lookup.js';
export { PutSkillTool } from './links/skill-tool.link.js';
export { PutSkillWorkflow } from './links/skill-workflow.link.js';
export { type SkillFacts, skillFactsOf } from './skill.lookup.js';
export { CreateSkill } from './skill.record.js';
