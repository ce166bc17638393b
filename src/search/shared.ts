/** What other slices use of the rules, shapes and schemas of search/. Pure. */
export { searchAnswer, searchBody, type SearchBody } from './search.schemas.js';
export { findable } from './found.js';
export { toolDocument, type ToolSource } from './documents/search-document.js';
export {
  comparisonOf,
  confusionsOf,
  metricsOf,
  type Result,
  resultOf,
} from './evaluation/evaluation-metrics.js';
export { madeQuestions, ownQuestions, type Question } from './evaluation/own-questions.js';
export {
  catalogWith,
  counted,
  type Finds,
  type PagedCatalog,
  type Pages,
  pagesOf,
  rankedIn,
} from './evaluation/paged-ranking.js';
