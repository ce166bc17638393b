/** What other slices use of the rules, shapes and schemas of diagnostics/. Pure. */
export { agentReport } from './diagnostics.schemas.js';
