/** What categories and tags have in common. Pure. */
import { field } from '../platform/records/fields.js';
import { entityTypes } from './entity-type.js';

/** Names of categories and tags. */
export const termName = {
  type: 'string',
  minLength: 1,
  maxLength: 126,
  pattern: '^[a-z0-9_-]+$',
  description: 'Lower-case letters of a to z, digits, _ and -.',
} as const;

export const entityType = {
  type: 'string',
  enum: entityTypes,
  description: 'What it is for: each kind of thing has its own.',
} as const;

export const entityTypeField = field({ sql: 'text', shown: entityType, stored: { enum: entityTypes } });
export const nameField = field({
  sql: 'text',
  shown: termName,
  stored: { type: 'string' },
  answered: { type: 'string' },
});
export const descriptionField = field({
  sql: 'text',
  shown: { type: ['string', 'null'], minLength: 1, maxLength: 1024, default: null },
  stored: { type: ['string', 'null'] },
  answered: { type: ['string', 'null'] },
});
