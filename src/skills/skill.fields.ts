/** The fields of a skill. Pure. */
import { line, semanticVersion } from '../platform/http/schemas.js';
import { bodyOf, field, unlisted, type Values } from '../platform/records/fields.js';
import { selectionProperties } from '../taxonomy/shared.js';

const text = { type: 'string' } as const;

/** Schemas that documents and drafts of skills share. */
export const skillText = {
  name: {
    ...line(126),
    description:
      'One line without blanks at its ends; unique among the active skills of the host, case and the spelling of letters aside.',
  },
  description: {
    type: 'string',
    maxLength: 4000,
    description: 'When to use the skill: what an agent goes by when it chooses.',
  },
  contentMarkdown: {
    type: 'string',
    minLength: 1,
    maxLength: 262_144,
    description: 'The instructions, as Markdown. Content that holds a secret is refused.',
  },
} as const;

export const skillFields = {
  name: field({ sql: 'text', shown: skillText.name, stored: text, answered: text }),
  description: field({
    sql: 'text',
    shown: { ...skillText.description, default: '' },
    stored: text,
    answered: text,
  }),
  contentMarkdown: unlisted(
    field({ sql: 'text', shown: skillText.contentMarkdown, stored: text, answered: text }),
  ),
  version: field({
    sql: 'text',
    shown: { ...semanticVersion, default: '1.0.0' },
    stored: text,
    answered: { type: 'string', description: 'Semantic version, given by the author.' },
  }),
  parentSkillId: field({
    sql: 'uuid',
    shown: {
      type: ['string', 'null'],
      format: 'uuid',
      description: 'The skill that this one stands below; null for none.',
      default: null,
    },
    stored: { type: ['string', 'null'] },
    answered: { type: ['string', 'null'], format: 'uuid' },
  }),
};

/** The values of a skill's fields. */
export type SkillFields = Values<typeof skillFields>;

const body = bodyOf(skillFields);

/** The body that creates a skill, with its categories and tags. */
export const newSkill = { ...body, properties: { ...body.properties, ...selectionProperties } };
