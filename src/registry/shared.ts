/** What other slices use of the rules, shapes and schemas of registry/. Pure. */
export { checkToolSchemas } from './specs/tool-schema-check.js';
export { readToolSpec, specDigest, type ToolSpec } from './specs/tool-spec.js';
