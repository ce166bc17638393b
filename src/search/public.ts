/** What other slices use of search/ beside its pure rules: use cases, lookups, ports. */
export { CatalogSearch } from './catalog-search.lookup.js';
export { configuredProfile } from './embeddings/configured.provider.js';
export { patience, searchDocuments, searchDocumentsFollower } from './documents/search-documents.follower.js';
export {
  dataSetsOf,
  evaluationOf,
  insertEvaluation,
  lastEvaluations,
} from './evaluation/evaluations.queries.js';
export { latencyOf } from './evaluation/evaluations.service.js';
export { RankingPool } from './evaluation/paged-ranking.pool.js';
export type { Ranking } from './evaluation/ranking-portions.js';
export { versionCatalogs } from './evaluation/version-catalogs.lookup.js';
