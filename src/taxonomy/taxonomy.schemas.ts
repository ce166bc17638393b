import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { listProperties, recordMembers, recordProperties, uuid } from '../platform/http/schemas.js';
import { entityTypes } from './entity-type.js';

/** Names of categories and tags. */
export const termName = {
  type: 'string',
  minLength: 1,
  maxLength: 126,
  pattern: '^[a-z0-9_-]+$',
  description: 'Lower-case letters of a to z, digits, _ and -.',
} as const;

const entityType = {
  type: 'string',
  enum: entityTypes,
  description: 'What it is for: each kind of thing has its own.',
} as const;
const description = { type: ['string', 'null'], minLength: 1, maxLength: 1024 } as const;
const parentCategoryId = {
  type: ['string', 'null'],
  format: 'uuid',
  description: 'The category for the same kind of thing that this one stands below; null for none.',
} as const;
const hostId = {
  type: ['string', 'null'],
  format: 'uuid',
  description: 'Null for a global one, which every host reads and none changes.',
} as const;

export const newCategory = {
  type: 'object',
  additionalProperties: false,
  required: ['entityType', 'categoryName'],
  properties: {
    entityType,
    categoryName: termName,
    categoryDesc: { ...description, default: null },
    parentCategoryId: { ...parentCategoryId, default: null },
  },
} as const satisfies JSONSchema;
export type NewCategory = FromSchema<typeof newCategory>;

export const categoryPatch = {
  type: 'object',
  additionalProperties: false,
  properties: { categoryName: termName, categoryDesc: description, parentCategoryId },
} as const satisfies JSONSchema;
export type CategoryPatch = FromSchema<typeof categoryPatch>;

export const newTag = {
  type: 'object',
  additionalProperties: false,
  required: ['entityType', 'tagName'],
  properties: { entityType, tagName: termName, tagDesc: { ...description, default: null } },
} as const satisfies JSONSchema;
export type NewTag = FromSchema<typeof newTag>;

export const tagPatch = {
  type: 'object',
  additionalProperties: false,
  properties: { tagName: termName, tagDesc: description },
} as const satisfies JSONSchema;
export type TagPatch = FromSchema<typeof tagPatch>;

const found = {
  ...listProperties,
  entityType,
  q: { type: 'string', minLength: 1, maxLength: 200, description: 'Part of the name or the description.' },
} as const;

export const categoryListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...found,
    categoryName: termName,
    parentCategoryId: { ...uuid, description: 'Only the categories directly below this one.' },
  },
} as const satisfies JSONSchema;
export type CategoryListQuery = FromSchema<typeof categoryListQuery>;

export const tagListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { ...found, tagName: termName },
} as const satisfies JSONSchema;
export type TagListQuery = FromSchema<typeof tagListQuery>;

const record = {
  ...recordProperties,
  active: { type: 'boolean', description: 'False: it was deleted.' },
} as const;
const textOrNull = { type: ['string', 'null'] } as const;

export const categoryAnswer = {
  type: 'object',
  required: [
    'categoryId',
    'hostId',
    'entityType',
    'categoryName',
    'categoryDesc',
    'parentCategoryId',
    ...recordMembers,
  ],
  properties: {
    categoryId: uuid,
    hostId,
    entityType,
    categoryName: { type: 'string' },
    categoryDesc: textOrNull,
    parentCategoryId,
    ...record,
  },
} as const satisfies JSONSchema;
export type CategoryAnswer = FromSchema<typeof categoryAnswer>;

export const tagAnswer = {
  type: 'object',
  required: ['tagId', 'hostId', 'entityType', 'tagName', 'tagDesc', ...recordMembers],
  properties: {
    tagId: uuid,
    hostId,
    entityType,
    tagName: { type: 'string' },
    tagDesc: textOrNull,
    ...record,
  },
} as const satisfies JSONSchema;
export type TagAnswer = FromSchema<typeof tagAnswer>;
