import { NotFound } from '../../kernel/errors.js';
import type { Sql } from '../../kernel/sql.js';
import { type Tier, tierOf } from '../../platform/auth/sensitivity-tier.js';
import { isNarrowed, type Visibility } from '../../platform/auth/visibility.js';
import { type Conditions, holdsEach, visibleRows } from '../../platform/database/conditions.js';
import { readAtVersions, type Versioned } from '../../platform/database/kept-versions.js';
import { addTaxonomyFilter } from '../../taxonomy/public.js';

/** Filters of tools (docs/contract.md, sections 4 and 5); all of them must hold. */
export interface ToolFilter {
  readonly apiId?: string;
  readonly apiVersionId?: string;
  readonly endpointId?: string;
  readonly name?: string;
  readonly domain?: string;
  readonly semanticNamespace?: string;
  readonly sensitivityTier?: Tier;
  readonly minSemanticWeight?: number;
  /** Case aside. */
  readonly persona?: string;
  readonly lifecycleStatus?: string;
  readonly sourceProtocol?: string;
  readonly implementationType?: string;
  readonly tag?: string;
  readonly category?: string;
  /** Whether a change of the source waits to be accepted. */
  readonly changed?: boolean;
  /** Whether a version waits: a draft, or one in review. */
  readonly inReview?: boolean;
  /** Of the endpoint, as are the two that follow. */
  readonly method?: string;
  readonly gap?: string;
  readonly conflict?: boolean;
  readonly active?: boolean;
  /** Words, or parts of them, of the name and the description; for people also of the title, the owner and the examples. */
  readonly q?: string;
}

/**
 * What a reader's tools are read, listed and filtered as: of a tool that nobody has approved yet, narrowed ones see its name and guards,
 * and find it by nothing else.
 */
export function toolsFor(visibility: Visibility): 'tool_t' | 'tool_redacted_read' {
  return isNarrowed(visibility) ? 'tool_redacted_read' : 'tool_t';
}

const versioned: Versioned = {
  present: 'tool_redacted_read',
  kept: 'tool_kept_read',
  id: 'tool_id',
  version: 'version',
};

/** A FROM item with the conditions on it. */
interface ReadTools {
  readonly from: string;
  readonly where: Conditions;
}

/** The tools that a reader may see, under the name of {@link toolsFor}: for an agent's token each at the version that its catalog holds. */
export function readTools(visibility: Visibility): ReadTools {
  const where = visibleTools(visibility);
  if (!isNarrowed(visibility)) return { from: 'tool_t', where };
  const kept = (visibility.within?.kept ?? []).map(({ toolId: id, version }) => ({ id, version }));
  return { from: readAtVersions(where, versioned, kept), where };
}

/** Columns that are compared as they are. */
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

/** {@link readTools} that the filter admits. */
export function filteredTools(visibility: Visibility, filter: ToolFilter): ReadTools {
  const { from, where } = readTools(visibility);
  for (const [name, column] of Object.entries(columns)) {
    const value = filter[name as keyof typeof columns];
    if (value !== undefined) where.add(`${column} = ?`, value);
  }
  const { persona, sensitivityTier, minSemanticWeight, changed, inReview, q } = filter;
  if (sensitivityTier !== undefined) where.add('sensitivity_tier = ?', tierOf(sensitivityTier));
  if (minSemanticWeight !== undefined)
    where.add('semantic_weight >= ?::real', Math.fround(minSemanticWeight));
  if (changed !== undefined) where.add(changed ? 'change IS NOT NULL' : 'change IS NULL');
  if (isNarrowed(visibility)) {
    // Versions are not for them: as far as they see, none waits.
    if (inReview === true) where.add('false');
  } else if (inReview !== undefined) {
    const waiting = `SELECT v.tool_id FROM tool_version_t v WHERE v.host_id = ? AND v.state IN ('draft', 'in_review')`;
    where.add(`tool_id ${inReview ? 'IN' : 'NOT IN'} (${waiting})`, visibility.hostId);
  }
  if (persona !== undefined) {
    where.add("persona_keys @> ARRAY[?::text] AND persona_keys <> '{}'", persona.toLowerCase());
  }
  const own = ownIn(from, isNarrowed(visibility) ? 'endpoint_redacted_read' : 'endpoint_read');
  addTaxonomyFilter(where, visibility.hostId, { entityType: 'tool', id: 'tool_id', own }, filter);
  if (q !== undefined) addTyped(where, q, visibility);
  addEndpointConditions(where, toolsFor(visibility), filter);
  return { from, where };
}

/** Words of the name and the description; for people also of the title, the owner and the examples that a spec says. */
function addTyped(where: Conditions, typed: string, visibility: Visibility): void {
  const own = holdsEach("concat_ws(' ', name, description)", typed);
  if (isNarrowed(visibility)) {
    where.add(...own);
    return;
  }
  const tools = toolsFor(visibility);
  const prompts = `SELECT string_agg(x ->> 'prompt', ' ') FROM jsonb_array_elements(a.about -> 'examples') x`;
  const [said, ...values] = holdsEach(
    `concat_ws(' ', a.about ->> 'title', a.about ->> 'owner', (${prompts}))`,
    typed,
  );
  const about = `SELECT FROM tool_about_read a WHERE a.host_id = ${tools}.host_id AND a.tool_id = ${tools}.tool_id AND ${said}`;
  where.add(`((${own[0]}) OR EXISTS (${about}))`, ...own.slice(1), ...values);
}

/** A condition on the tool's endpoint. */
const ofEndpoint = (tools: string, condition: string): string =>
  `EXISTS (SELECT FROM endpoint_read e
           WHERE e.host_id = ${tools}.host_id AND e.endpoint_id = ${tools}.endpoint_id AND ${condition})`;

/** Category and tags in the tool's metadata and its endpoint's document, beside those of the taxonomy. */
const ownIn = (tools: string, endpoints: string) => ({
  category: `SELECT tool_id FROM ${tools} WHERE host_id = ? AND category = ?`,
  tag: `SELECT t.tool_id FROM tool_t t
        JOIN ${endpoints} e ON e.host_id = t.host_id AND e.endpoint_id = t.endpoint_id
        WHERE e.host_id = ? AND e.document_tags @> ARRAY[?::text] AND e.document_tags <> '{}'`,
});

function addEndpointConditions(
  where: Conditions,
  tools: string,
  { method, gap, conflict }: Pick<ToolFilter, 'method' | 'gap' | 'conflict'>,
): void {
  if (method !== undefined) where.add(ofEndpoint(tools, 'e.http_method = ?'), method.toLowerCase());
  if (gap !== undefined) where.add(ofEndpoint(tools, '? = ANY(e.gaps)'), gap);
  if (conflict !== undefined) where.add(ofEndpoint(tools, 'e.conflict = ?'), conflict);
}

/** Limits `tool_t`, or the rows of {@link readTools}, to what a reader may see (docs/contract.md, section 2); a tool without an endpoint is host-wide. */
export function visibleTools(visibility: Visibility): Conditions {
  return visibleRows(visibility, {
    limits: ['services', 'environments', 'tiers'],
    confined: ['tool_id', ({ toolIds }) => toolIds],
  });
}

/** Whether a name stands for the tool: not for one that a spec has made and nobody has approved, where another holds the name. */
export function isMeant(alias: string): string {
  return `(${alias}.approved OR ${alias}.implementation_type <> 'service' OR NOT EXISTS (
    SELECT FROM tool_name_t n WHERE n.host_id = ${alias}.host_id AND n.name = ${alias}.name))`;
}

/** Throws NotFound: what the token does not cover answers like what does not exist. */
export async function requireTool(sql: Sql, visibility: Visibility, toolId: string): Promise<void> {
  const where = visibleTools(visibility).add('tool_id = ?', toolId);
  const found = await sql.query(`SELECT FROM tool_t ${where.sql()}`, where.values);
  if (found.length === 0) throw new NotFound('tool', toolId);
}
