/** What other slices use of the rules, shapes and schemas of registry/. Pure. */
export { checkToolSchemas } from './specs/tool-schema-check.js';
