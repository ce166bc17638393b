/** What categories and tags have in common. Pure. */
import { field } from '../platform/records/fields.js';

/** Kinds of things that are classified; each has categories and tags of its own. */
export const entityTypes = ['skill', 'tool', 'endpoint', 'workflow'] as const;
export type EntityType = (typeof entityTypes)[number];

/**
 * The host whose categories and tags are global: every host reads them, with `hostId: null`, and only a token of this
 * host writes them.
 */
export const globalHostId = '00000000-0000-0000-0000-000000000000';

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

/** Characters of a text that its slug is made of: to put marks upon one letter in order takes the square of their number. */
const MAX_READ = 1_000;

/** Makes a tag's name of any text: `kunden-vertrage` of `Kunden & Verträge`; empty where nothing is left. */
export function tagSlug(text: string): string {
  return text
    .slice(0, MAX_READ)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, 126)
    .replace(/^-+|-+$/g, '');
}

/** Whether a category or a tag may have the name as it is. */
export function isSlug(name: string): boolean {
  return /^[a-z0-9_-]{1,126}$/.test(name);
}
