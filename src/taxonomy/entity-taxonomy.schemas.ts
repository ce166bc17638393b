import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { objectOf, uuid } from '../platform/http/schemas.js';
import { entityTypes, termName } from './term.fields.js';

const idsOf = (noun: string) =>
  ({
    type: 'array',
    maxItems: 100,
    uniqueItems: true,
    items: uuid,
    description: `Ids of ${noun} for this kind of thing, of the host or global.`,
  }) as const;

/** Members of the body that saves a thing with its categories and tags; a list left out stays. */
export const selectionProperties = { categoryIds: idsOf('categories'), tagIds: idsOf('tags') } as const;

/** The whole selection. */
export const selectionBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    categoryIds: { ...selectionProperties.categoryIds, default: [] },
    tagIds: { ...selectionProperties.tagIds, default: [] },
  },
} as const satisfies JSONSchema;

/** Members of the query of a list of things that can be classified. */
export const taxonomyFilter = {
  tag: { ...termName, description: 'Only what has the tag of this name.' },
  category: { ...termName, description: 'Only what is in the category of this name.' },
} as const;

const names = { type: 'array', items: { type: 'string' } } as const;

/** Members of the answer of a thing that can be classified. */
export const taxonomyProperties = {
  categories: { ...names, description: 'Names of its categories, code point by code point.' },
  tags: { ...names, description: 'Names of its tags, code point by code point.' },
} as const;
export const taxonomyMembers = ['categories', 'tags'] as const;

export const selectionAnswer = objectOf({
  id: { ...uuid, description: 'Of the selection itself, as in the receipt of a write.' },
  entityType: { type: 'string', enum: entityTypes },
  entityId: uuid,
  categories: {
    type: 'array',
    items: objectOf({ categoryId: uuid, categoryName: { type: 'string' } }),
  },
  tags: {
    type: 'array',
    items: objectOf({ tagId: uuid, tagName: { type: 'string' } }),
  },
  aggregateVersion: { type: 'integer', description: 'For If-Match; 0 where nothing was ever selected.' },
  position: { type: 'integer', description: 'Position of the last event that changed the selection.' },
});
export type SelectionAnswer = FromSchema<typeof selectionAnswer>;
