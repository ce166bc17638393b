/** The kinds of things that have categories and tags. */
export const entityTypes = ['tool', 'skill', 'endpoint', 'workflow'] as const;
export type EntityType = (typeof entityTypes)[number];
