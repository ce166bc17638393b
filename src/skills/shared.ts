/** What other slices use of the rules, shapes and schemas of skills/. Pure. */
export { refuseUnsafe } from './skill-safety.js';
export { skillToolBody, skillToolReceipt } from './links/skill-tool.schemas.js';
export { newSkill, type SkillFields, skillFields } from './skill.fields.js';
export { skillDocument } from './documents/skill-document.schemas.js';
