/** What other slices use of the rules, shapes and schemas of skills/. Pure. */
export { refuseUnsafe } from './skill-safety.js';
export { skillToolFields } from './links/skill-tool.rules.js';
export { newSkill, type SkillFields, skillFields } from './skill.fields.js';
export { skillDocument } from './documents/skill-document.schemas.js';
