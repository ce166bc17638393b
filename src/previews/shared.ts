/** What other slices use of the rules, shapes and schemas of previews/. Pure. */
export { consolidationAnswer, consolidationBody } from './tool-consolidation.schemas.js';
export { lintAnswer, type LintBody, lintBody } from './tool-lint.schemas.js';
