import { tableOf } from '../../platform/database/row-changes.js';
import type { EndpointFacts } from '../../formats/shared.js';
import { type Tier, tierOf } from '../../platform/auth/sensitivity-tier.js';
import { type Baseline, type Conflict, conflictsOf, type Settled } from './endpoint.overrides.js';
import {
  type EffectiveFacts,
  effectiveOf,
  type Enrichment,
  enrichmentOf,
  searchableText,
  searchableTexts,
  searchKeys,
  type SemanticField,
  toolMetadataOf,
} from './endpoint.effective.js';
import type { Layer, Layers, Provenance } from './endpoint.layers.js';
import { isActive, isChanged, type KnownEndpoint } from './endpoint.state.js';
import { redactionOf, type Redacted } from './endpoint.redaction.js';

type JsonObject = Record<string, unknown>;

export interface EndpointRow {
  readonly host_id: string;
  readonly endpoint_id: string;
  readonly api_version_id: string;
  readonly api_id: string;
  /** Copied from the API version, so that one keyed read tells who may see the endpoint. */
  readonly service_id: string;
  readonly env_tag: string | null;
  /** The endpoint key. */
  readonly endpoint: string;
  readonly http_method: string;
  readonly endpoint_path: string;
  readonly endpoint_name: string;
  readonly endpoint_desc: string;
  readonly source_protocol: string;
  readonly lifecycle_status: NonNullable<EndpointFacts['lifecycleStatus']>;
  readonly routing_domain: string | null;
  readonly semantic_namespace: string | null;
  readonly category: string | null;
  /** As the document has them. */
  readonly document_tags: readonly string[];
  /** The tier that the raw word in `tool_metadata` stands for. */
  readonly sensitivity_tier: Tier;
  readonly semantic_weight: number;
  readonly cost_tier: string | null;
  readonly target_personas: readonly string[];
  readonly persona_keys: readonly string[];
  readonly tool_schema: JsonObject;
  readonly response_schema: JsonObject | null;
  /** Effective `{routing, safety, …}`. */
  readonly tool_metadata: JsonObject;
  /** What each layer says; a schema that the columns above hold already is left out. */
  readonly layers: Layers;
  readonly provenance: Provenance;
  readonly digests: Readonly<Partial<Record<Layer, string>>>;
  // eslint-disable-next-line no-restricted-syntax -- a column keeps the name that it was released with
  readonly beneath: Baseline;
  readonly settled: Settled;
  readonly accepted: Readonly<Partial<Record<Layer, string>>>;
  readonly suspicious: boolean;
  readonly changed: boolean;
  readonly conflicts: readonly Conflict[];
  readonly gaps: readonly SemanticField[];
  readonly enrichment: Enrichment;
  // eslint-disable-next-line no-restricted-syntax -- a column keeps the name that it was released with
  readonly vanished: readonly Layer[];
  readonly deactivated: boolean;
  readonly active: boolean;
  /** What narrowed readers are told in place of columns with texts that address the model; null where there are none. */
  readonly redacted: Redacted | null;
  readonly position: number;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
}

export const endpointRows = tableOf<EndpointRow>('api_endpoint_t', ['host_id', 'endpoint_id'], {
  host_id: 'uuid',
  endpoint_id: 'uuid',
  api_version_id: 'uuid',
  api_id: 'text',
  service_id: 'text',
  env_tag: 'text',
  endpoint: 'text',
  http_method: 'text',
  endpoint_path: 'text',
  endpoint_name: 'text',
  endpoint_desc: 'text',
  source_protocol: 'text',
  lifecycle_status: 'text',
  routing_domain: 'text',
  semantic_namespace: 'text',
  category: 'text',
  document_tags: 'text[]',
  sensitivity_tier: 'text',
  semantic_weight: 'real',
  cost_tier: 'text',
  target_personas: 'text[]',
  persona_keys: 'text[]',
  tool_schema: 'jsonb',
  response_schema: 'jsonb',
  tool_metadata: 'jsonb',
  layers: 'jsonb',
  provenance: 'jsonb',
  digests: 'jsonb',
  beneath: 'jsonb',
  settled: 'jsonb',
  accepted: 'jsonb',
  suspicious: 'boolean',
  changed: 'boolean',
  conflicts: 'jsonb',
  gaps: 'text[]',
  enrichment: 'text',
  vanished: 'text[]',
  deactivated: 'boolean',
  active: 'boolean',
  redacted: 'jsonb',
  position: 'bigint',
  aggregate_version: 'bigint',
  update_ts: 'timestamptz',
  update_user: 'text',
});

/** One scope of one of the sets that an endpoint takes at the gateway: a caller needs all of a set, of any set. */
export interface EndpointScopeRow {
  readonly host_id: string;
  readonly endpoint_id: string;
  /** From 0, in the order of the document. */
  readonly scope_set: number;
  /** Place in the set. */
  readonly order_index: number;
  /** Null in a set that needs nothing. */
  readonly scheme: string | null;
  /** Null of a scheme that knows no scopes. */
  readonly scope: string | null;
  readonly scope_desc: string | null;
  readonly active: boolean;
  readonly position: number;
  readonly aggregate_version: number;
  readonly update_ts: string;
  readonly update_user: string;
}

export const endpointScopeRows = tableOf<EndpointScopeRow>(
  'api_endpoint_scope_t',
  ['host_id', 'endpoint_id', 'scope_set', 'order_index'],
  {
    host_id: 'uuid',
    endpoint_id: 'uuid',
    scope_set: 'integer',
    order_index: 'integer',
    scheme: 'text',
    scope: 'text',
    scope_desc: 'text',
    active: 'boolean',
    position: 'bigint',
    aggregate_version: 'bigint',
    update_ts: 'timestamptz',
    update_user: 'text',
  },
);

type Audit = 'host_id' | 'endpoint_id' | 'position' | 'aggregate_version' | 'update_ts' | 'update_user';
type Columns = Omit<EndpointRow, Audit>;

/** The row that an endpoint is stored as, less its key and audit columns. */
export function columnsOf(known: KnownEndpoint): Columns {
  const effective = effectiveOf(known.layers);
  const { facts, provenance } = effective;
  const { enrichment, gaps } = enrichmentOf(effective);
  const shown = shownColumns(facts);
  return {
    ...shown,
    redacted: redactionOf({ ...shown, provenance, scopes: facts.scopes }),
    api_version_id: known.apiVersionId,
    api_id: known.apiId,
    service_id: known.serviceId,
    env_tag: known.envTag,
    endpoint: known.endpoint,
    http_method: facts.method,
    endpoint_path: facts.path,
    source_protocol: facts.sourceProtocol,
    lifecycle_status: facts.lifecycleStatus,
    sensitivity_tier: tierOf(facts.routing.sensitivityTier),
    semantic_weight: Math.fround(facts.routing.semanticWeight),
    layers: shelved(known.layers, provenance),
    provenance,
    digests: known.digests,
    beneath: known.baseline,
    settled: known.settled,
    accepted: known.accepted,
    suspicious: known.suspicious,
    changed: isChanged(known),
    conflicts: conflictsOf(known),
    gaps,
    enrichment,
    vanished: known.missing,
    deactivated: known.deactivated,
    active: isActive(known),
  };
}

/** The columns that hold texts of documents, but for those that say which operation it is. */
function shownColumns(facts: EffectiveFacts) {
  const { routing } = facts;
  return {
    endpoint_name: facts.name,
    endpoint_desc: facts.description,
    routing_domain: searchableText(routing.domain),
    semantic_namespace: searchableText(routing.semanticNamespace),
    category: searchableText(routing.category),
    document_tags: searchableTexts(facts.tags),
    cost_tier: routing.costTier ?? null,
    target_personas: routing.targetPersonas ?? [],
    persona_keys: searchKeys(routing.targetPersonas),
    tool_schema: facts.inputSchema,
    response_schema: facts.outputSchema ?? null,
    tool_metadata: toolMetadataOf(facts),
  };
}

/** The columns that the state is read from. */
export const stateColumns = [
  'api_id',
  'api_version_id',
  'service_id',
  'env_tag',
  'endpoint',
  'tool_schema',
  'response_schema',
  'layers',
  'provenance',
  'digests',
  'beneath',
  'settled',
  'accepted',
  'suspicious',
  'vanished',
  'deactivated',
] as const satisfies readonly (keyof Columns)[];
export type StateColumns = Pick<Columns, (typeof stateColumns)[number]>;

export function endpointOf(row: StateColumns): KnownEndpoint {
  return {
    status: 'known',
    apiId: row.api_id,
    apiVersionId: row.api_version_id,
    endpoint: row.endpoint,
    serviceId: row.service_id,
    envTag: row.env_tag,
    layers: unshelved(row),
    digests: row.digests,
    missing: row.vanished,
    deactivated: row.deactivated,
    baseline: row.beneath,
    settled: row.settled,
    accepted: row.accepted,
    suspicious: row.suspicious,
  };
}

/** Leaves schemas out of a layer where a column holds the same one: they are most of a row's bytes. */
const shelves = [
  ['inputSchema', 'tool_schema'],
  ['outputSchema', 'response_schema'],
] as const;

function shelved(layers: Layers, provenance: Provenance): Layers {
  const left = { ...layers };
  for (const [member] of shelves) {
    const layer = provenance[member];
    if (layer === undefined) continue;
    const { [member]: _, ...facts } = left[layer] ?? {};
    left[layer] = facts;
  }
  return left;
}

function unshelved(row: StateColumns): Layers {
  const whole = { ...row.layers };
  for (const [member, column] of shelves) {
    const layer = row.provenance[member];
    const schema = row[column];
    if (layer !== undefined && schema !== null) whole[layer] = { ...whole[layer], [member]: schema };
  }
  return whole;
}
