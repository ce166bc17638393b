import { aggregate, type Slice } from '../eventsourcing/slice.js';
import { categoryProjection, categoryUniqueRules } from './categories.projection.js';
import { CreateCategory, DeleteCategory, UpdateCategory } from './category.commands.js';
import { categoryDecider } from './category.decider.js';
import { categoryCreated, categoryDeleted, categoryUpdated } from './category.events.js';
import { entityTaxonomyProjection } from './entity-taxonomies.projection.js';
import { AdoptTags, ReplaceTaxonomy } from './entity-taxonomy.commands.js';
import { entityTaxonomyDecider } from './entity-taxonomy.decider.js';
import { entityTaxonomyReplaced } from './entity-taxonomy.events.js';
import { CreateTag, DeleteTag, UpdateTag } from './tag.commands.js';
import { tagDecider } from './tag.decider.js';
import { tagCreated, tagDeleted, tagUpdated } from './tag.events.js';
import { tagProjection, tagUniqueRules } from './tags.projection.js';

/** Categories and tags, and which of them things have. The things belong to the slices above. */
export const taxonomySlice: Slice = {
  name: 'taxonomy',
  events: [
    categoryCreated,
    categoryUpdated,
    categoryDeleted,
    tagCreated,
    tagUpdated,
    tagDeleted,
    entityTaxonomyReplaced,
  ],
  aggregates: [
    aggregate(categoryDecider, [CreateCategory, UpdateCategory, DeleteCategory]),
    aggregate(tagDecider, [CreateTag, UpdateTag, DeleteTag]),
    aggregate(entityTaxonomyDecider, [ReplaceTaxonomy, AdoptTags]),
  ],
  projections: [categoryProjection, tagProjection, entityTaxonomyProjection],
  uniqueRules: { ...categoryUniqueRules, ...tagUniqueRules },
};
