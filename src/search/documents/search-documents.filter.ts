/** The filters of a search as conditions on `search_document_t d`; packages/ranking/macro-filter compares them in memory. */
import { tiersUpTo } from '../../platform/auth/sensitivity-tier.js';
import type { SearchDocument } from './search-document.js';
import type { SearchBody, SearchFilters } from '../search.schemas.js';
import type { Visibility } from '../../platform/auth/visibility.js';
import { visibleRows, type Conditions } from '../../platform/database/conditions.js';

/** Filters that are compared with one column. */
const equalities = {
  sourceProtocol: 'source_protocol',
  implementationType: 'implementation_type',
  lifecycleStatus: 'lifecycle_status',
  apiId: 'api_id',
} as const satisfies { readonly [Name in keyof SearchFilters]?: keyof SearchDocument };

/** Filters that hold for a value and all below it by a dot. */
const branches = {
  domain: 'domain',
  semanticNamespace: 'semantic_namespace',
} as const satisfies { readonly [Name in keyof SearchFilters]?: keyof SearchDocument };

/** Filters that hold where the column's list has one of the values. */
const memberships = {
  tags: 'tags',
  categories: 'categories',
} as const satisfies { readonly [Name in keyof SearchFilters]?: keyof SearchDocument };

/** Names of the context; undefined where none is given. */
export function contextOf({ context }: Pick<SearchBody, 'context'>): readonly string[] | undefined {
  if (context === undefined) return undefined;
  return (typeof context === 'string' ? context.split(',') : context).map((name) => name.trim());
}

/** Limits documents to those that a reader may see (docs/contract.md, section 2); those without service or tier are host-wide. */
export function visibleDocuments(visibility: Visibility): Conditions {
  return visibleRows(visibility, { alias: 'd', limits: ['services', 'environments', 'tiers'] });
}

/** Adds the conditions of the question. */
export function askedDocuments(visible: Conditions, question: SearchBody): Conditions {
  const where = visible.copy().add('d.kind = ANY(?::text[])', question.kinds);
  const { filters = {}, serviceId, envTag } = question;
  if (serviceId !== undefined) where.add('d.service_id IS NULL OR d.service_id = ?', serviceId.trim());
  if (envTag !== undefined) where.add('d.env_tag IS NULL OR d.env_tag = ?', envTag.trim());
  const context = contextOf(question);
  if (context !== undefined) where.add('d.required_context <@ ?::text[]', context);
  addValues(where, filters);
  const { maxSensitivityTier: limit, personas } = filters;
  if (limit !== undefined) where.add('d.sensitivity_tier = ANY(?::text[])', tiersUpTo(limit));
  if (personas !== undefined) {
    const wanted = [personas].flat().map((persona) => persona.toLowerCase());
    where.add(
      `d.kind <> 'skill' AND (d.target_personas = '{}' OR EXISTS (
         SELECT FROM unnest(d.target_personas) persona WHERE lower(persona) = ANY(?::text[])))`,
      wanted,
    );
  }
  return where;
}

function addValues(where: Conditions, filters: NonNullable<SearchBody['filters']>): void {
  const given = (name: string) => filters[name as keyof typeof filters];
  const add = (columns: Readonly<Record<string, string>>, clause: (column: string) => string): void => {
    for (const [name, column] of Object.entries(columns)) {
      const values = given(name);
      if (values !== undefined) where.add(clause(column), [values].flat());
    }
  };
  add(equalities, (column) => `d.${column} = ANY(?::text[])`);
  add(memberships, (column) => `d.${column} && ?::text[]`);
  add(
    branches,
    (column) => `EXISTS (SELECT FROM unnest(?::text[]) v WHERE starts_with(d.${column} || '.', v || '.'))`,
  );
}
