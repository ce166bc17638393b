import { aggregate, sliceOf } from '../kernel/slice.js';
import { category } from './category.record.js';
import {
  entityTaxonomyProjection,
  AdoptTags,
  ReplaceTaxonomy,
  entityTaxonomyDecider,
  entityTaxonomyReplaced,
} from './entity-taxonomy.record.js';
import { tag } from './tag.record.js';

/** Categories and tags, and which of them things have. The things themselves belong to the slices above. */
export const taxonomySlice = sliceOf('taxonomy', [category, tag], {
  events: [entityTaxonomyReplaced],
  aggregates: [aggregate(entityTaxonomyDecider, [ReplaceTaxonomy, AdoptTags])],
  projections: [entityTaxonomyProjection],
  views: ['category_read', 'entity_category_read', 'entity_tag_read', 'tag_read', 'taxonomy_read'],
});
