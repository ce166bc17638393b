/** What other slices use of the rules, shapes and schemas of search/. Pure. */
export { searchAnswer, searchBody, type SearchBody } from './search.schemas.js';
export { versionEvaluationAnswer, versionEvaluationBody } from './evaluation/version-evaluation.schemas.js';
export { versionReportAnswer } from './evaluation/version-report.schemas.js';
