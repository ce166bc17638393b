/** What other slices use of taxonomy/ beside its pure rules: use cases, lookups, ports. */
export { CreateCategory } from './category.record.js';
export { type Classification, taxonomyOf } from './entity-taxonomy.link.js';
export { CreateTag } from './tag.record.js';
export {
  addTaxonomyFilter,
  hasTags,
  selectionOf,
  taxonomyColumns,
  taxonomyShown,
  termIdsByName,
} from './taxonomy.lookup.js';
export {
  type NamedTerm,
  planAdoption,
  planNamedSelection,
  planSelection,
  type Selection,
  type Tagged,
} from './taxonomy.planner.js';
