/** The filters of a search as the database compares them; in memory it is packages/ranking/macro-filter. Pure. */
import { tiersUpTo, type Tier } from '../platform/auth/sensitivity-tier.js';
import type { SearchDocument } from './search-document.js';
import type { SearchBody, SearchFilters } from './search.schemas.js';

/** Members of the filters that are compared with one column as they are. */
export const equalities = {
  sourceProtocol: 'source_protocol',
  implementationType: 'implementation_type',
  lifecycleStatus: 'lifecycle_status',
  apiId: 'api_id',
} as const satisfies { readonly [Name in keyof SearchFilters]?: keyof SearchDocument };

/** Members that hold for a value and all below it by a dot. */
export const branches = {
  domain: 'domain',
  semanticNamespace: 'semantic_namespace',
} as const satisfies { readonly [Name in keyof SearchFilters]?: keyof SearchDocument };

/** Members of which one must be among the column's. */
export const memberships = {
  tags: 'tags',
  categories: 'categories',
} as const satisfies { readonly [Name in keyof SearchFilters]?: keyof SearchDocument };

export const valuesOf = (given: string | readonly string[]): readonly string[] =>
  typeof given === 'string' ? [given] : given;

/** Names of the context at hand; undefined where nothing is said of it. */
export function contextOf({ context }: Pick<SearchBody, 'context'>): readonly string[] | undefined {
  if (context === undefined) return undefined;
  return (typeof context === 'string' ? context.split(',') : context).map((name) => name.trim());
}

export const tiersWithin = (limit: Tier | undefined): readonly Tier[] | undefined =>
  limit === undefined ? undefined : tiersUpTo(limit);
