/** What other slices use of search/ beside its pure rules: use cases, lookups, ports. */
export { CatalogSearch } from './catalog-search.lookup.js';
export { configuredProfile } from './embeddings/configured.provider.js';
export { searchDocumentsFollower } from './documents/search-documents.follower.js';
export { EvaluateVersion } from './evaluation/version-evaluation.routes.js';
export { VersionReports } from './evaluation/version-report.routes.js';
export { evaluationOf } from './evaluation/evaluations.queries.js';
