import type { Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { visibleRows } from '../platform/database/visible-rows.js';
import { branches, contextOf, equalities, memberships, tiersWithin, valuesOf } from './search-filters.js';
import type { SearchBody } from './search.schemas.js';

/** What of `search_document_t` a reader may see (contract 2); what has no service or tier is host-wide. */
export function visibleDocuments(visibility: Visibility): Conditions {
  return visibleRows(visibility, { alias: 'd', limits: ['services', 'environments', 'tiers'] });
}

/** Adds what the question itself asks for. */
export function askedDocuments(visible: Conditions, question: SearchBody): Conditions {
  const where = visible.copy().add('d.kind = ANY(?::text[])', question.kinds);
  const { filters = {}, serviceId, envTag } = question;
  if (serviceId !== undefined) where.add('d.service_id IS NULL OR d.service_id = ?', serviceId.trim());
  if (envTag !== undefined) where.add('d.env_tag IS NULL OR d.env_tag = ?', envTag.trim());
  const context = contextOf(question);
  if (context !== undefined) where.add('d.required_context <@ ?::text[]', context);
  addValues(where, filters);
  const tiers = tiersWithin(filters.maxSensitivityTier);
  if (tiers !== undefined) where.add('d.sensitivity_tier = ANY(?::text[])', tiers);
  if (filters.personas !== undefined) {
    const wanted = valuesOf(filters.personas).map((persona) => persona.toLowerCase());
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
      if (values !== undefined) where.add(clause(column), valuesOf(values));
    }
  };
  add(equalities, (column) => `d.${column} = ANY(?::text[])`);
  add(memberships, (column) => `d.${column} && ?::text[]`);
  add(
    branches,
    (column) => `EXISTS (SELECT FROM unnest(?::text[]) v WHERE starts_with(d.${column} || '.', v || '.'))`,
  );
}
