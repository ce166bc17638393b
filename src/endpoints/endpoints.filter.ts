import { tierOf, type Tier } from '../platform/auth/sensitivity-tier.js';
import type { Visibility } from '../platform/auth/visibility.js';
import type { Conditions } from '../platform/database/conditions.js';
import { likeText, visibleRows } from '../platform/database/visible-rows.js';

/** What endpoints are asked for (contract 4). All that is named must hold. */
export interface EndpointFilter {
  readonly apiId?: string;
  readonly apiVersionId?: string;
  readonly method?: string;
  readonly sourceProtocol?: string;
  readonly domain?: string;
  readonly semanticNamespace?: string;
  readonly sensitivityTier?: Tier;
  /** Case aside. */
  readonly persona?: string;
  readonly lifecycleStatus?: string;
  /** A field that no layer says. */
  readonly gap?: string;
  readonly conflict?: boolean;
  /** Left out: whether or not. */
  readonly active?: boolean;
  /** Part of the key, the name or the description, case aside. */
  readonly q?: string;
}

/** Columns of `api_endpoint_t` that are compared as they are. */
const columns = {
  apiId: 'api_id',
  apiVersionId: 'api_version_id',
  sourceProtocol: 'source_protocol',
  domain: 'routing_domain',
  semanticNamespace: 'semantic_namespace',
  lifecycleStatus: 'lifecycle_status',
  active: 'active',
} as const satisfies { readonly [Name in keyof EndpointFilter]?: string };

export function endpointConditions(visibility: Visibility, filter: EndpointFilter): Conditions {
  const where = visibleEndpoints(visibility);
  for (const [name, column] of Object.entries(columns)) {
    const value = filter[name as keyof typeof columns];
    if (value !== undefined) where.add(`${column} = ?`, value);
  }
  const { method, persona, sensitivityTier, gap, conflict, q } = filter;
  if (method !== undefined) where.add('http_method = ?', method.toLowerCase());
  if (sensitivityTier !== undefined) where.add('sensitivity_tier = ?', tierOf(sensitivityTier));
  if (gap !== undefined) where.add('? = ANY(gaps)', gap);
  if (conflict !== undefined) where.add("(conflicts <> '[]') = ?", conflict);
  if (persona !== undefined) {
    where.add(
      'EXISTS (SELECT FROM unnest(target_personas) persona WHERE lower(persona) = lower(?))',
      persona,
    );
  }
  if (q !== undefined) {
    where.add(`concat_ws(' ', endpoint, endpoint_name, endpoint_desc) ILIKE ?`, likeText(q));
  }
  return where;
}

/** What of `api_endpoint_t` a reader may see (contract 2). */
export function visibleEndpoints(visibility: Visibility): Conditions {
  const { tiers, within } = visibility;
  const where = visibleRows(visibility);
  if (tiers !== 'all') where.add('sensitivity_tier = ANY(?::text[])', tiers);
  if (within !== undefined) where.add('endpoint_id = ANY(?::uuid[])', within.endpointIds);
  return where;
}
