/** What other slices use of the rules, shapes and schemas of search/. Pure. */
export { searchAnswer, searchBody, type SearchBody } from './search.schemas.js';
export {
  comparisonOf,
  confusionsOf,
  metricsOf,
  type Result,
  resultOf,
} from './evaluation/evaluation-metrics.js';
export { madeQuestions, ownQuestions, type Question } from './evaluation/own-questions.js';
export type { Finds } from './evaluation/paged-ranking.js';
