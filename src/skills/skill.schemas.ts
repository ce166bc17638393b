import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import {
  selectionProperties,
  taxonomyFilter,
  taxonomyMembers,
  taxonomyProperties,
} from '../taxonomy/entity-taxonomy.schemas.js';
import {
  line,
  listProperties,
  recordMembers,
  recordProperties,
  semanticVersion,
  uuid,
} from '../platform/http/schemas.js';

const name = {
  ...line(126),
  description: 'One line without blanks at its ends; unique among the active skills of the host.',
} as const;

const description = {
  type: 'string',
  maxLength: 4000,
  description: 'When to use the skill: what an agent goes by when it chooses.',
} as const;

const contentMarkdown = {
  type: 'string',
  minLength: 1,
  maxLength: 262_144,
  description: 'The instructions, as Markdown. Content that holds a secret is refused.',
} as const;

const parentSkillId = {
  type: ['string', 'null'],
  format: 'uuid',
  description: 'The skill that this one stands below; null for none.',
} as const;

export const newSkill = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'contentMarkdown'],
  properties: {
    name,
    description: { ...description, default: '' },
    contentMarkdown,
    version: { ...semanticVersion, default: '1.0.0' },
    parentSkillId: { ...parentSkillId, default: null },
    ...selectionProperties,
  },
} as const satisfies JSONSchema;
export type NewSkill = FromSchema<typeof newSkill>;

export const skillPatch = {
  type: 'object',
  additionalProperties: false,
  properties: {
    name,
    description,
    contentMarkdown,
    version: semanticVersion,
    parentSkillId,
    ...selectionProperties,
  },
} as const satisfies JSONSchema;
export type SkillPatch = FromSchema<typeof skillPatch>;

export const skillListQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    ...listProperties,
    name: {
      type: 'string',
      minLength: 1,
      maxLength: 126,
      description: 'Only the skills of exactly this name.',
    },
    parentSkillId: { ...uuid, description: 'Only the skills directly below this one.' },
    ...taxonomyFilter,
    q: { type: 'string', minLength: 1, maxLength: 200, description: 'Part of the name or the description.' },
  },
} as const satisfies JSONSchema;
export type SkillListQuery = FromSchema<typeof skillListQuery>;

const listed = {
  skillId: uuid,
  name: { type: 'string' },
  description: { type: 'string' },
  version: { type: 'string', description: 'Semantic version, given by the author.' },
  parentSkillId: { type: ['string', 'null'], format: 'uuid' },
  ...taxonomyProperties,
  ...recordProperties,
} as const;

/** A skill in a list: all but its content. */
export const listedSkill = {
  type: 'object',
  required: [
    'skillId',
    'name',
    'description',
    'version',
    'parentSkillId',
    ...taxonomyMembers,
    ...recordMembers,
  ],
  properties: listed,
} as const satisfies JSONSchema;
export type ListedSkill = FromSchema<typeof listedSkill>;

export const skillAnswer = {
  ...listedSkill,
  required: [...listedSkill.required, 'contentMarkdown'],
  properties: { ...listed, contentMarkdown: { type: 'string' } },
} as const satisfies JSONSchema;
export type SkillAnswer = FromSchema<typeof skillAnswer>;
