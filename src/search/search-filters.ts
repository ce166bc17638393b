/** The filters of a search in one form for both roads: the catalog in memory and the database. Pure. */
import { exceeds, tierOf, tiersUpTo, type Tier } from '../platform/auth/sensitivity-tier.js';
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

/** What is compared with filters, and the key by which others refer to it. */
export type Filtered = Pick<
  SearchDocument,
  | (typeof equalities)[keyof typeof equalities]
  | (typeof branches)[keyof typeof branches]
  | (typeof memberships)[keyof typeof memberships]
  | 'kind'
  | 'sensitivity_tier'
  | 'target_personas'
  | 'endpoint'
>;

/** Whether a document of an agent's catalog passes; context and visibility are the catalog's own business. */
export function passes(document: Filtered, filters: SearchFilters): boolean {
  return (
    passesValues(document, filters) && passesTier(document, filters) && passesPersonas(document, filters)
  );
}

function passesValues(document: Filtered, filters: SearchFilters): boolean {
  return (
    every(equalities, filters, (column, values) => values.includes(document[column] ?? '\0')) &&
    every(branches, filters, (column, values) =>
      values.some((value) => `${document[column] ?? ''}.`.startsWith(`${value}.`)),
    ) &&
    every(memberships, filters, (column, values) => document[column].some((one) => values.includes(one)))
  );
}

function every<Column>(
  columns: Readonly<Record<string, Column>>,
  filters: SearchFilters,
  holds: (column: Column, values: readonly string[]) => boolean,
): boolean {
  return Object.entries(columns).every(([name, column]) => {
    const given = filters[name as keyof SearchFilters];
    return given === undefined || holds(column, valuesOf(given));
  });
}

function passesTier({ sensitivity_tier: tier }: Filtered, { maxSensitivityTier }: SearchFilters): boolean {
  return maxSensitivityTier === undefined || (tier !== null && !exceeds(tierOf(tier), maxSensitivityTier));
}

function passesPersonas({ kind, target_personas: named }: Filtered, { personas }: SearchFilters): boolean {
  if (personas === undefined) return true;
  const wanted = valuesOf(personas).map((persona) => persona.toLowerCase());
  return (
    kind !== 'skill' &&
    (named.length === 0 || named.some((persona) => wanted.includes(persona.toLowerCase())))
  );
}
