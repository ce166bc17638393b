/** What a category or a tag is for: each kind of thing has its own. */
export const entityTypes = ['skill', 'tool', 'endpoint', 'workflow'] as const;
export type EntityType = (typeof entityTypes)[number];

/**
 * The host whose categories and tags are global: every host reads them, with `hostId: null`, and only a token of this
 * host writes them.
 */
export const globalHostId = '00000000-0000-0000-0000-000000000000';
