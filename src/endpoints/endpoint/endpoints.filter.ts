import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { type Tier, tierOf } from '../../platform/auth/sensitivity-tier.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { type Conditions, holdsEach, visibleRows } from '../../platform/database/conditions.js';
import { readAtVersions, type Versioned } from '../../platform/database/kept-versions.js';
import { addTaxonomyFilter } from '../../taxonomy/public.js';

/** Filters of endpoints (docs/contract.md, section 4); all of them must hold. */
export interface EndpointFilter {
  readonly apiId?: string;
  readonly apiVersionId?: string;
  readonly method?: string;
  readonly sourceProtocol?: string;
  readonly domain?: string;
  readonly semanticNamespace?: string;
  readonly sensitivityTier?: Tier;
  readonly minSemanticWeight?: number;
  /** Case aside. */
  readonly persona?: string;
  readonly lifecycleStatus?: string;
  /** A field that no layer says. */
  readonly gap?: string;
  readonly conflict?: boolean;
  /** Category of its metadata, or one that it was given. */
  readonly category?: string;
  /** Tag of its document, or one that it was given. */
  readonly tag?: string;
  /** Tells whether a document has changed since an operator last accepted it. */
  readonly changed?: boolean;
  /** Left out: active and inactive ones. */
  readonly active?: boolean;
  /** Part of the key, the name or the description, case aside. */
  readonly q?: string;
}

/**
 * What a reader's endpoints are read, listed and filtered as: narrowed ones see what agents are told, under the same names, and find
 * nothing by what they are not shown.
 */
export function endpointsFor(visibility: Visibility): 'api_endpoint_t' | 'endpoint_redacted_read' {
  return isNarrowed(visibility) ? 'endpoint_redacted_read' : 'api_endpoint_t';
}

const versioned: Versioned = {
  present: 'endpoint_redacted_read',
  kept: 'endpoint_kept_read',
  id: 'endpoint_id',
  version: 'tool_version',
};

/** A FROM item with the conditions on it. */
interface ReadEndpoints {
  readonly from: string;
  readonly where: Conditions;
}

/**
 * The endpoints that a reader may see, under the name of {@link endpointsFor}: an agent's token is told them as the version of their
 * tool says that its catalog holds.
 */
export function readEndpoints(visibility: Visibility): ReadEndpoints {
  const where = visibleEndpoints(visibility);
  if (!isNarrowed(visibility)) return { from: 'api_endpoint_t', where };
  const kept = (visibility.within?.kept ?? []).flatMap(({ endpointId: id, version }) =>
    id === undefined ? [] : [{ id, version }],
  );
  return { from: readAtVersions(where, versioned, kept), where };
}

/** Columns that are compared as they are. */
const columns = {
  apiId: 'api_id',
  apiVersionId: 'api_version_id',
  sourceProtocol: 'source_protocol',
  domain: 'routing_domain',
  semanticNamespace: 'semantic_namespace',
  lifecycleStatus: 'lifecycle_status',
  active: 'active',
} as const satisfies { readonly [Name in keyof EndpointFilter]?: string };

/** {@link readEndpoints} that the filter admits. */
export function filteredEndpoints(visibility: Visibility, filter: EndpointFilter): ReadEndpoints {
  const { from, where } = readEndpoints(visibility);
  for (const [name, column] of Object.entries(columns)) {
    const value = filter[name as keyof typeof columns];
    if (value !== undefined) where.add(`${column} = ?`, value);
  }
  const { method, persona, sensitivityTier, minSemanticWeight, gap, conflict, changed, q } = filter;
  if (method !== undefined) where.add('http_method = ?', method.toLowerCase());
  if (sensitivityTier !== undefined) where.add('sensitivity_tier = ?', tierOf(sensitivityTier));
  if (minSemanticWeight !== undefined)
    where.add('semantic_weight >= ?::real', Math.fround(minSemanticWeight));
  if (gap !== undefined) where.add('? = ANY(gaps)', gap);
  if (conflict !== undefined) where.add(conflict ? "conflicts <> '[]'" : "conflicts = '[]'");
  if (changed !== undefined) where.add(changed ? 'changed' : 'NOT changed');
  if (persona !== undefined) where.add(inList('persona_keys'), persona.toLowerCase());
  const classified = {
    entityType: 'endpoint',
    id: 'endpoint_id',
    own: ownIn(from),
  } as const;
  addTaxonomyFilter(where, visibility.hostId, classified, filter);
  if (q !== undefined) {
    where.add(...holdsEach("concat_ws(' ', endpoint, endpoint_name, endpoint_desc)", q));
  }
  return { from, where };
}

/** Repeats the predicate of the column's index. */
const inList = (column: string): string => `${column} @> ARRAY[?::text] AND ${column} <> '{}'`;

/** Finds endpoints by category and tag of their metadata and document, beside their classification. */
const ownIn = (endpoints: string) => ({
  category: `SELECT endpoint_id FROM ${endpoints} WHERE host_id = ? AND category = ?`,
  tag: `SELECT endpoint_id FROM ${endpoints}
        WHERE host_id = ? AND document_tags @> ARRAY[?::text] AND document_tags <> '{}'`,
});

/** Limits `api_endpoint_t`, or the rows of {@link readEndpoints}, to what a reader may see (docs/contract.md, section 2). */
export function visibleEndpoints(visibility: Visibility): Conditions {
  return visibleRows(visibility, {
    limits: ['services', 'environments', 'tiers'],
    confined: ['endpoint_id', ({ endpointIds }) => endpointIds],
  });
}

/** Throws NotFound: what the token does not cover answers like what does not exist. */
export async function requireEndpoint(sql: Sql, visibility: Visibility, endpointId: string): Promise<void> {
  const where = visibleEndpoints(visibility).add('endpoint_id = ?', endpointId);
  const found = await sql.query(`SELECT FROM api_endpoint_t ${where.sql()}`, where.values);
  if (found.length === 0) throw new NotFound('endpoint', endpointId);
}
