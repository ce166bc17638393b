/** What other slices use of search/ beside its pure rules: use cases, lookups, ports. */
export { CatalogSearch } from './catalog-search.lookup.js';
export { configuredProfile } from './embeddings/configured.provider.js';
export { searchDocumentsFollower } from './documents/search-documents.follower.js';
