/** What other slices use of previews/ beside its pure rules: use cases, lookups, ports. */
export { ToolConsolidation } from './tool-consolidation.routes.js';
export { ToolLint } from './tool-lint.routes.js';
