import { tierOf, type Tier } from '../platform/auth/sensitivity-tier.js';
import type { Visibility } from '../platform/auth/visibility.js';
import { Conditions } from '../platform/database/conditions.js';

/** What tools are asked for (contract 4 and 5). All that is named must hold. */
export interface ToolFilter {
  readonly apiId?: string;
  readonly apiVersionId?: string;
  readonly endpointId?: string;
  readonly name?: string;
  readonly domain?: string;
  readonly semanticNamespace?: string;
  readonly sensitivityTier?: Tier;
  /** Case aside. */
  readonly persona?: string;
  readonly lifecycleStatus?: string;
  readonly sourceProtocol?: string;
  readonly implementationType?: string;
  /** Whether a change beneath waits to be accepted. */
  readonly changed?: boolean;
  readonly active?: boolean;
  /** Part of the name or the description, case aside. */
  readonly q?: string;
}

/** Columns of `tool_t` that are compared as they are. */
const columns = {
  apiId: 'api_id',
  apiVersionId: 'api_version_id',
  endpointId: 'endpoint_id',
  name: 'name',
  domain: 'routing_domain',
  semanticNamespace: 'semantic_namespace',
  lifecycleStatus: 'lifecycle_status',
  sourceProtocol: 'source_protocol',
  implementationType: 'implementation_type',
  active: 'active',
} as const satisfies { readonly [Name in keyof ToolFilter]?: string };

export function toolConditions(visibility: Visibility, filter: ToolFilter): Conditions {
  const where = visibleTools(visibility);
  for (const [name, column] of Object.entries(columns)) {
    const value = filter[name as keyof typeof columns];
    if (value !== undefined) where.add(`${column} = ?`, value);
  }
  const { persona, sensitivityTier, changed, q } = filter;
  if (sensitivityTier !== undefined) where.add('sensitivity_tier = ?', tierOf(sensitivityTier));
  if (changed !== undefined) where.add(changed ? 'change IS NOT NULL' : 'change IS NULL');
  if (persona !== undefined) {
    where.add(
      'EXISTS (SELECT FROM unnest(target_personas) persona WHERE lower(persona) = lower(?))',
      persona,
    );
  }
  if (q !== undefined) where.add(`concat_ws(' ', name, description) ILIKE ?`, `%${escapeLike(q)}%`);
  return where;
}

/** What of `tool_t` a reader may see (contract 2); a tool without an endpoint is host-wide. */
export function visibleTools({ hostId, services, environments, tiers, within }: Visibility): Conditions {
  const where = new Conditions().add('host_id = ?', hostId);
  if (services !== 'all') where.add('(service_id IS NULL OR service_id = ANY(?::text[]))', services);
  where.add('(env_tag IS NULL OR env_tag = ANY(?::text[]))', environments);
  if (tiers !== 'all') where.add('sensitivity_tier = ANY(?::text[])', tiers);
  if (within !== undefined) where.add('tool_id = ANY(?::uuid[])', within.toolIds);
  return where;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
