/** What other slices use of search/ beside its pure rules: use cases, lookups, ports. */
export { CatalogSearch } from './catalog-search.lookup.js';
export { configuredProfile } from './configured.provider.js';
export { searchDocumentsFollower } from './search-documents.follower.js';
